const secretFields =
  /^sealed.|password|passwd|pwd|secret|token|apikey|privatekey|apiv3key|accesskey|credential|passphrase|passcode/
/**
 * `newPass`, `old_pass`, `confirmpass`: alone the word also stands for an approval (`isPass`) and in others
 * (`compass`).
 */
const passes = new RegExp(
  '^(?:new|old|user|account|admin|login|db|my|re|repeat|repeated|confirm|confirmed|current|first|second|init|default|' +
    'reset)?pass[0-9]*$',
)
/** Longer names are nobody's; looked at in full they would cost time. */
const NAME_MAX = 200

/** A name without what writers of names differ in: case, dashes, dots. */
export const normalizeFieldName = (name: string): string =>
  name
    .slice(0, NAME_MAX)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

/** Whether a field's own name says that its value is nobody's to read again. */
export function isSecretFieldName(name: string): boolean {
  const plain = normalizeFieldName(name)
  return secretFields.test(plain) || passes.test(plain)
}
