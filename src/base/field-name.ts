const fieldName = /^(?=.{1,64}$)[A-Za-z]+(?:[_-][A-Za-z]+|[_-]?\d{1,2}(?!\d))*$/;

/**
 * Whether a report may show a name of a record. A name is not always chosen by a programmer: the keys of a map, and a
 * name at a wrong path, can be personal data. Words of letters in snake, kebab or camel case are shown, with up to two
 * digits.
 */
export function isFieldName(name: string): boolean {
  return fieldName.test(name);
}
