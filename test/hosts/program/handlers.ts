// The work of each service. A line of standard output reports a call. The first bill fails where FAIL_ONCE is set.
let fails = process.env['FAIL_ONCE'] !== undefined;

export async function openAccount(account: string): Promise<void> {
  await Promise.resolve();
  console.log(`handled openAccount ${account}`);
}

export async function sendBill(account: string): Promise<void> {
  await Promise.resolve();
  if (fails) {
    fails = false;
    throw new Error('The printer is busy.');
  }
  console.log(`handled sendBill ${account}`);
}
