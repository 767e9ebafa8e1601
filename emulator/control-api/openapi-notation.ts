/** The document of the control API is made of these forms of JSON Schema: an object with those members. */
export function object(properties: Readonly<Record<string, object>>, required: readonly string[] = []) {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** A schema of the document, by its name. */
export function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

/** What a text is, or what is to be in it. */
export function text(description: string) {
  return { type: 'string', description };
}

/** A list of texts. */
export function texts(description?: string) {
  return { type: 'array', items: { type: 'string' }, ...(description !== undefined && { description }) };
}

/** A whole number between two, which are part of it. */
export function whole(minimum: number, maximum: number, description: string) {
  return { type: 'integer', minimum, maximum, description };
}

/** An instant, with the clock that it is on or what stands for it. */
export function instant(description: string) {
  return { type: 'string', format: 'date-time', description };
}

/** How many there are of each, by name. */
export function counts() {
  return { type: 'object', additionalProperties: { type: 'integer' } };
}
