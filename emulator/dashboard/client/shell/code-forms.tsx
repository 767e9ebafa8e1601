import { useState } from 'preact/hooks';
import { CopyButton } from './controls.js';

/** Code in one of several forms, with buttons to choose and to copy. */
export function CodeForms({
  title,
  about,
  forms,
}: {
  readonly title: string;
  /** Noun for the code, for screen readers. */
  readonly about: string;
  readonly forms: readonly (readonly [name: string, code: string])[];
}) {
  const [wanted, setWanted] = useState('');
  const [name, code] = forms.find(([each]) => each === wanted) ?? forms[0] ?? ['', ''];
  return (
    <>
      <div class="section-head">
        <h3>{title}</h3>
        <div class="segments" role="group" aria-label="Form">
          {forms.map(([each]) => (
            <button type="button" key={each} aria-pressed={each === name} onClick={() => setWanted(each)}>
              {each}
            </button>
          ))}
        </div>
        <CopyButton text={code} />
      </div>
      <pre class="code" tabIndex={0} aria-label={`${about} as ${name}`}>
        {code.slice(0, 20_000)}
      </pre>
    </>
  );
}
