import { type ListedEvent, readEvents } from '../site/events.js';

declare const data: readonly ListedEvent[];
export { data };

export default { load: readEvents };
