/** A program here that reads payloads with the models of a language. */
export interface Program {
  /** The folder here. */
  readonly folder: string;
  /** Programs that it needs, with their Debian packages. */
  readonly needs: Readonly<Record<string, string>>;
  /** Further Debian packages. */
  readonly packages?: readonly string[];
  /** The command before those of the guide. */
  readonly prepare?: string;
  readonly build?: string;
  readonly run: string;
  /** Whether the models validate, so that the program reads invalid payloads, too. */
  readonly isValidator?: boolean;
  /** Returns a source file that lists the models, for a language that cannot find them by name. */
  readonly list?: { readonly file: string; readonly text: (models: readonly string[]) => string };
}

const newtonsoft = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';

export const programs: Readonly<Record<string, Program>> = {
  Python: {
    folder: 'python',
    needs: { python3: 'python3' },
    packages: ['python3-venv'],
    prepare: 'python3 -m venv .',
    run: 'python round_trip.py',
    isValidator: true,
  },
  Java: {
    folder: 'java',
    needs: { javac: 'openjdk-17-jdk-headless', mvn: 'maven' },
    prepare: 'mvn -q -B dependency:copy-dependencies -DoutputDirectory=jars',
    build: "javac -d classes -cp 'jars/*' RoundTrip.java $(find java -name '*.java')",
    run: "java -cp 'classes:jars/*' RoundTrip",
  },
  Go: {
    folder: 'go',
    needs: { go: 'golang-go' },
    build: 'go build -o bin/round-trip .',
    run: 'bin/round-trip',
    list: {
      file: 'models.go',
      text: (models) =>
        [
          'package main',
          'import "busbar/languages/events"',
          'var models = map[string]func() any{',
          ...models.map((model) => `"${model}": func() any { return new(events.${model}) },`),
          '}\n',
        ].join('\n'),
    },
  },
  'C#': {
    folder: 'csharp',
    needs: {
      mvn: 'maven',
      java: 'openjdk-17-jre-headless',
      mcs: 'mono-mcs',
      mono: 'mono-runtime',
    },
    packages: ['libnewtonsoft-json5.0-cil', 'libmono-system-componentmodel-dataannotations4.0-cil'],
    // Debian's Newtonsoft.Json is too old for the class of unions, which no model uses.
    build: `mcs -langversion:latest -out:round-trip.exe -r:${newtonsoft},System.ComponentModel.DataAnnotations,\
System.Runtime.Serialization RoundTrip.cs $(find csharp -name '*.cs' ! -name AbstractOpenAPISchema.cs)`,
    run: 'mono round-trip.exe',
  },
};
