/** Returns the number one step up or down with its decimals kept; undefined if the text is no number. */
export function stepNumberText(text: string, step: 1 | -1): string | undefined {
  const match = /^(-?\d{1,14})(\.\d+)?$/.exec(text || '0')
  if (!match) return undefined
  const [, whole = '0', fraction = ''] = match
  // The sign must not turn over within the fraction: -0.5 and one more is 0.5.
  if (fraction && (whole.startsWith('-') || (whole === '0' && step < 0)))
    return String(Math.round((Number(text) + step) * 1e8) / 1e8)
  return `${Number(whole) + step}${fraction}`
}
