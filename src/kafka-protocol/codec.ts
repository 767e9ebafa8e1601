import { type Field, type Fields, type Read, type WireType, within, type Written } from './fields.js';
import { MalformedMessage, type Reader } from './reader.js';
import { Writer } from './writer.js';

/** A reader and writer of one kind of message in one version. */
export interface Codec<F extends Fields = Fields> {
  read(reader: Reader): Read<F>;
  write(writer: Writer, message: Written<F>): void;
}

type WriteValue = (writer: Writer, value: unknown) => void;
interface ValueCodec {
  readonly read: (reader: Reader) => unknown;
  readonly write: WriteValue;
}

/**
 * Compiles a field table into the codec of one version. Decisions about versions, nullability and compact encodings are
 * made once, here.
 *
 * @param flexible whether the version uses compact lengths and tagged fields (KIP-482)
 */
export function compile<F extends Fields>(fields: F, version: number, flexible: boolean): Codec<F> {
  const present = Object.entries(fields).filter(([, field]) => within(version, field.versions));
  const plain = present.filter(([, { tag }]) => tag === undefined).map(([name, field]) => step(name, field));
  const tagged = present.flatMap(([name, field]) =>
    field.tag === undefined ? [] : [{ ...step(name, field), tag: field.tag }],
  );
  // Absent fields read as their defaults.
  const absent = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      within(version, field.versions) && field.tag === undefined ? [] : [[name, field.absent]],
    ),
  );

  function step(name: string, field: Field) {
    const codec = valueCodec(field.type, version, flexible, within(version, field.nullable));
    return { name, absent: field.absent, ...codec };
  }

  const codec: Codec = {
    read(reader) {
      const message: Record<string, unknown> = { ...absent };
      for (const { name, read } of plain) message[name] = read(reader);
      if (flexible) {
        readTagged(reader, (tag) => {
          const field = tagged.find((candidate) => candidate.tag === tag);
          if (field) message[field.name] = field.read(reader);
          return field !== undefined;
        });
      }
      return message;
    },
    write(writer, message) {
      for (const { name, absent: byDefault, write } of plain)
        write(writer, valueOr(message[name], byDefault));
      if (!flexible) return;
      const sent = tagged.filter(
        ({ name, absent: byDefault }) => valueOr(message[name], byDefault) !== byDefault,
      );
      writer.unsignedVarint(sent.length);
      for (const { name, tag, write } of sent.sort((a, b) => a.tag - b.tag)) {
        const value = new Writer();
        write(value, message[name]);
        writer.unsignedVarint(tag);
        writer.unsignedVarint(value.length);
        for (const part of value.finish()) writer.bytes(part);
      }
    },
  };
  // Safe: the field table types each value by its wire type.
  return codec as Codec<F>;
}

/** Unlike `??`, keeps null. */
function valueOr(value: unknown, byDefault: unknown): unknown {
  return value === undefined ? byDefault : value;
}

function readTagged(reader: Reader, readKnown: (tag: number) => boolean): void {
  for (let left = reader.elements(reader.unsignedVarint()); left > 0; left -= 1) {
    const tag = reader.unsignedVarint();
    const size = reader.unsignedVarint();
    if (size > reader.remaining) throw new MalformedMessage(`tagged field ${tag} is longer than the message`);
    const end = reader.position + size;
    if (!readKnown(tag)) reader.skip(size);
    if (reader.position !== end) throw new MalformedMessage(`tagged field ${tag} is not ${size} bytes long`);
  }
}

function valueCodec(type: WireType, version: number, flexible: boolean, nullable: boolean): ValueCodec {
  switch (type.name) {
    case 'boolean':
    case 'int8':
    case 'int16':
    case 'int32':
    case 'int64':
    case 'float64':
    case 'uuid': {
      const { name } = type;
      return {
        read: (reader) => reader[name](),
        // Safe: the field table types the value by its wire type.
        write: (writer, value) => (writer[name] as (value: unknown) => void)(value),
      };
    }
    case 'string':
      return stringCodec(length('int16', flexible), nullable);
    case 'bytes':
    case 'records':
      return bytesCodec(type.name, length('int32', flexible), nullable);
    case 'array':
      return arrayCodec(valueCodec(type.of, version, flexible, false), length('int32', flexible), nullable);
    case 'struct':
      return structCodec(compile(type.fields, version, flexible) as ValueCodec, nullable);
  }
}

interface Length {
  read(reader: Reader): number;
  write(writer: Writer, length: number): void;
}

/** Lengths are fixed integers, -1 for null; in flexible versions, varints of the length plus one. */
function length(fixed: 'int16' | 'int32', flexible: boolean): Length {
  if (flexible) {
    return {
      read: (reader) => reader.unsignedVarint() - 1,
      write: (writer, value) => writer.unsignedVarint(value + 1),
    };
  }
  return { read: (reader) => reader[fixed](), write: (writer, value) => writer[fixed](value) };
}

function stringCodec(size: Length, nullable: boolean): ValueCodec {
  return sized(
    size,
    nullable,
    (reader, bytes) => reader.string(bytes),
    (writer, value) => {
      const bytes = Buffer.byteLength(value as string);
      size.write(writer, bytes);
      writer.utf8(value as string, bytes);
    },
  );
}

function bytesCodec(name: 'bytes' | 'records', size: Length, nullable: boolean): ValueCodec {
  return sized(
    size,
    nullable,
    (reader, bytes) => (name === 'records' ? reader.bytes(bytes) : Buffer.from(reader.bytes(bytes))),
    (writer, value) => {
      const parts = (Array.isArray(value) ? value : [value]) as readonly Buffer[];
      size.write(
        writer,
        parts.reduce((total, part) => total + part.length, 0),
      );
      for (const part of parts) writer.uncopied(part);
    },
  );
}

function arrayCodec(element: ValueCodec, size: Length, nullable: boolean): ValueCodec {
  return sized(
    size,
    nullable,
    (reader, announced) => {
      const count = reader.elements(announced);
      const values: unknown[] = [];
      for (let index = 0; index < count; index += 1) values.push(element.read(reader));
      return values;
    },
    (writer, value) => {
      const values = value as readonly unknown[];
      size.write(writer, values.length);
      for (const one of values) element.write(writer, one);
    },
  );
}

/** A structure that may be null begins with a byte: -1 for null. */
function structCodec(struct: ValueCodec, nullable: boolean): ValueCodec {
  if (!nullable) return struct;
  return sized(
    { read: (reader) => reader.int8(), write: (writer, value) => writer.int8(value) },
    true,
    struct.read,
    (writer, value) => {
      writer.int8(1);
      struct.write(writer, value);
    },
  );
}

/** Returns the codec of a value that begins with its length; the length -1 is null. */
function sized(
  size: Length,
  nullable: boolean,
  read: (reader: Reader, length: number) => unknown,
  write: WriteValue,
): ValueCodec {
  return {
    read(reader) {
      const length = size.read(reader);
      if (length !== -1) return read(reader, length);
      if (!nullable) throw new MalformedMessage('a field is null that cannot be null');
      return null;
    },
    write(writer, value) {
      if (value !== null) write(writer, value);
      else if (nullable) size.write(writer, -1);
      else throw new TypeError('a field is null that is not nullable in this version');
    },
  };
}
