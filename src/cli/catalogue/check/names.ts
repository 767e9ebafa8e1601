import { isFieldName } from '../../../base/field-name.js';

/** Words in lower or in camel case. */
const words = '(?:[a-z0-9]+(?:[A-Z]+[a-z][a-z0-9]*)*|(?:[A-Z]+[a-z][a-z0-9]*)+)';
const eventName = new RegExp(`^(?=[A-Za-z].{0,119}$)${words}(?:[._/-]${words})*$`);
const versionName = /^v?\d{1,4}(?:\.\d{1,4}){0,2}$/;

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
