import { describe, expect, it } from 'vitest';
import { packedPage, relativeTargets } from '../../.packaging/links.js';

const page = `# Title

![The dashboard](docs/images/run.png)

[Kafka](docs/kafka.md#rights), [the changes](CHANGELOG.md#new), [a section](#title), [Node](https://nodejs.org/).
`;
const packed = { folder: '.', files: new Set(['README.md', 'CHANGELOG.md']), tag: 'v1.2.3' };

describe('the links of a packed page', () => {
  it('lead to the tagged files of the repository, or to files of the package', () => {
    expect(packedPage(page, { ...packed, repository: 'https://example.com/a/b' })).toBe(`# Title

![The dashboard](https://example.com/a/b/raw/v1.2.3/docs/images/run.png)

[Kafka](https://example.com/a/b/blob/v1.2.3/docs/kafka.md#rights), [the changes](CHANGELOG.md#new), [a section](#title), [Node](https://nodejs.org/).
`);
  });

  it('become text where no repository is known, and images disappear', () => {
    expect(packedPage(page, packed)).toBe(`# Title



Kafka, [the changes](CHANGELOG.md#new), [a section](#title), [Node](https://nodejs.org/).
`);
  });

  it('start in the folder of the page', () => {
    const { files, tag } = packed;
    const repository = 'https://example.com/a/b';
    expect(packedPage('[x](../docs/x.md)', { folder: 'emulator', files, repository, tag })).toBe(
      '[x](https://example.com/a/b/blob/v1.2.3/docs/x.md)',
    );
  });

  it('count as relative if they have neither a scheme nor a page of their own', () => {
    expect(relativeTargets(page)).toEqual([
      'docs/images/run.png',
      'docs/kafka.md#rights',
      'CHANGELOG.md#new',
    ]);
  });
});
