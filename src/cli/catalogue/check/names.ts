/**
 * Names that a report may show. A name in a record is not always chosen by a programmer: the keys of a map, and a name at
 * a wrong path, can be personal data. Words of letters in snake, kebab or camel case are shown, with up to two digits.
 */
const fieldName = /^(?=.{1,64}$)[A-Za-z]+(?:[_-][A-Za-z]+|[_-]?\d{1,2}(?!\d))*$/;
const eventName = /^(?=.{1,120}$)[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*$/;
const versionName = /^v?\d{1,4}(?:\.\d{1,4}){0,2}$/;

export function isFieldName(name: string): boolean {
  return fieldName.test(name);
}

/** Returns the name of an event, or `?` for a part that may be a value. */
export function shownEvent(type: string, version: string): string {
  const shownType = eventName.test(type) && !/\d{5}/.test(type) ? type : '?';
  return version === '' ? shownType : `${shownType}-${versionName.test(version) ? version : '?'}`;
}

/** Returns a pointer with `*` for the items of a list, and `?` for a name that may be a value. */
export function shownPointer(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => `/${/^\d+$/.test(step) ? '*' : isFieldName(step) ? step : '?'}`).join('');
}
