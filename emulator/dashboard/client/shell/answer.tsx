/** The result of a request, as text for the user. */
export interface Answer {
  readonly isGood: boolean;
  readonly text: string;
}

export function AnswerText({
  answer,
  testId,
}: {
  readonly answer: Answer | undefined;
  readonly testId: string;
}) {
  return (
    <p class={answer?.isGood === false ? 'answer bad' : 'answer'} role="status" data-testid={testId}>
      {answer?.text}
    </p>
  );
}
