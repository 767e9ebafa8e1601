/** The result of a request, as text for the user. */
export interface ActionResult {
  readonly isGood: boolean;
  readonly text: string;
}

export function ResultText({
  answer,
  testId,
}: {
  readonly answer: ActionResult | undefined;
  readonly testId: string;
}) {
  return (
    <p class={answer?.isGood === false ? 'answer bad' : 'answer'} role="status" data-testid={testId}>
      {answer?.text}
    </p>
  );
}
