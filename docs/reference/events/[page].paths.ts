import { generatedPages } from '../../.vitepress/site/generated-pages.js';

export default { paths: () => generatedPages('events') };
