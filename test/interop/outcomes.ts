/** The results of a run: printed as they occur, and summarised at the end. */
export class Outcomes {
  #passed = 0;
  #failed = 0;
  readonly #notRun: string[] = [];

  passed(what: string): void {
    this.#passed += 1;
    console.log(`ok      ${what}`);
  }

  failed(what: string, why: string): void {
    this.#failed += 1;
    console.log(`FAILED  ${what}: ${why}`);
  }

  notRun(what: string, why: string): void {
    const line = `NOT RUN: ${what}: ${why}`;
    this.#notRun.push(line);
    console.log(line);
  }

  /** The last lines of a run; a run in which nothing was checked has failed. */
  summarise(): void {
    for (const line of this.#notRun) console.log(line);
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
    process.exitCode = this.#failed === 0 && this.#passed > 0 ? 0 : 1;
  }
}
