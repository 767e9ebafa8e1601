import type { Violation } from 'busbar/catalogue';
import type { Schema } from '../catalogue.js';
import { resolved, typeOf, unitOf, within } from '../event/schema-fields.js';
import { blank, isNullable, kindOf } from './field-kind.js';
import { type PayloadPath, pointerOf, valueAt } from './payload-path.js';
import { ScalarInput } from './inputs.js';

/** The state that all fields of a form share. */
export interface Form {
  readonly root: Schema | undefined;
  readonly payload: unknown;
  /** A payload with all optional fields: the source of values for added fields. */
  readonly example: unknown;
  /** Violations by JSON pointer. */
  readonly violations: ReadonlyMap<string, readonly Violation[]>;
  /** Sets a value; undefined removes the field. */
  readonly set: (path: PayloadPath, value: unknown) => void;
}

interface FieldProps {
  readonly form: Form;
  readonly path: PayloadPath;
  readonly schema: Schema | undefined;
}

/** The fields of a payload, or the one input of a payload that is not an object. */
export function PayloadFields({ form }: { readonly form: Form }) {
  const { payload, root } = form;
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  const all = { form, path: [], schema: root };
  return isObject ? <ObjectFields {...all} /> : <FormField {...all} label="payload" isOptional={false} />;
}

/** The fields of an object, and buttons to add missing fields. */
function ObjectFields({ form, path, schema }: FieldProps) {
  const value = valueAt(form.payload, path);
  const found = resolved(schema, form.root, value);
  const present = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const declared = Object.keys(found?.properties ?? {});
  const names = [
    ...declared.filter((name) => present.includes(name)),
    ...present.filter((name) => !declared.includes(name)),
  ];
  const absent = declared.filter((name) => !present.includes(name));
  return (
    <div class="form-fields">
      {names.map((name) => (
        <FormField
          key={name}
          form={form}
          path={[...path, name]}
          label={name}
          schema={within(schema, form.root, name, value)}
          isOptional={found?.required?.includes(name) !== true}
        />
      ))}
      {absent.length > 0 && (
        <p class="form-absent">
          <span class="faint">Omitted:</span>{' '}
          {absent.map((name) => (
            <button
              type="button"
              key={name}
              class={found?.required?.includes(name) === true ? 'required' : ''}
              aria-label={`Add ${name}`}
              onClick={() => {
                const field = within(schema, form.root, name, value);
                form.set([...path, name], valueAt(form.example, [...path, name]) ?? blank(field, form.root));
              }}
            >
              + {name}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}

function FormField({
  form,
  path,
  label,
  schema,
  isOptional,
}: FieldProps & { readonly label: string; readonly isOptional: boolean }) {
  const value = valueAt(form.payload, path);
  const found = resolved(schema, form.root, value);
  const pointer = pointerOf(path);
  // `aria-describedby` is a list of ids with spaces between them.
  const id = `field${pointer.replaceAll(/\s/g, '␣')}`;
  const kind = kindOf(found, value);
  const wrong = form.violations.get(pointer) ?? [];
  const mayBeNull = isNullable(schema, form.root);
  const isNull = value === null && mayBeNull;
  const unit = unitOf(schema, form.root);
  const isGroup = (kind === 'object' || kind === 'list') && !isNull;
  const about = `${id}-about`;
  return (
    <div class={`form-field stacked ${isGroup ? 'group' : ''} ${wrong.length > 0 ? 'wrong' : ''}`}>
      <div class="form-label">
        {isGroup || isNull ? (
          <span class="mono">{label}</span>
        ) : (
          <label class="mono" for={id}>
            {label}
          </label>
        )}
        <span class="mark member-type">
          {typeOf(schema, form.root)}
          {unit !== undefined && `, ${unit}`}
        </span>
        {mayBeNull && (
          <button
            type="button"
            aria-pressed={isNull}
            aria-label={`${label} is null`}
            onClick={() =>
              form.set(path, isNull ? (valueAt(form.example, path) ?? blank(schema, form.root)) : null)
            }
          >
            null
          </button>
        )}
        {isOptional && (
          <button type="button" aria-label={`Omit ${label}`} onClick={() => form.set(path, undefined)}>
            ×
          </button>
        )}
      </div>
      {isNull ? null : kind === 'object' ? (
        <ObjectFields form={form} path={path} schema={schema} />
      ) : kind === 'list' ? (
        <ListItems form={form} path={path} label={label} schema={schema} />
      ) : (
        <ScalarInput
          id={id}
          kind={kind}
          value={value}
          schema={found}
          isWrong={wrong.length > 0}
          describedBy={wrong.length > 0 ? about : undefined}
          set={(next) => form.set(path, next)}
        />
      )}
      {wrong.length > 0 && (
        <p class="form-wrong" id={about}>
          {[...new Set(wrong.map(({ message }) => message))].join('; ')}
        </p>
      )}
    </div>
  );
}

function ListItems({ form, path, label, schema }: FieldProps & { readonly label: string }) {
  const value = valueAt(form.payload, path);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const item = (index: number) => within(schema, form.root, index);
  const { prefixItems = [], items: further } = resolved(schema, form.root) ?? {};
  const inTuple = items.length <= prefixItems.length;
  const isFull = further === false && items.length >= prefixItems.length;
  const place = [...path, items.length];
  const next = () =>
    structuredClone(
      (inTuple ? undefined : items.at(-1)) ??
        valueAt(form.example, place) ??
        blank(item(items.length), form.root),
    );
  return (
    <div class="form-items">
      {items.map((_, index) => (
        <FormField
          key={index}
          form={form}
          path={[...path, index]}
          label={String(index)}
          schema={item(index)}
          isOptional
        />
      ))}
      {!isFull && (
        <button type="button" aria-label={`Add an entry to ${label}`} onClick={() => form.set(place, next())}>
          + entry
        </button>
      )}
    </div>
  );
}
