const secretFields =
  /^sealed.|password|passwd|pwd|secret|token|apikey|privatekey|apiv3key|accesskey|credential|passphrase|passcode/
/** Matches names such as `newPass`, `old_pass` and `confirmpass`, but neither `isPass` (an approval) nor `compass`. */
const passes = new RegExp(
  '^(?:new|old|user|account|admin|login|db|my|re|repeat|repeated|confirm|confirmed|current|first|second|init|default|' +
    'reset)?pass[0-9]*$',
)
/** Longer names are cut to this length, as matching them whole would cost time and no real name is longer. */
const NAME_MAX = 200

/** Returns a name in lower case without dashes, dots and other signs, so that different spellings are equal. */
export const normalizeFieldName = (name: string): string =>
  name
    .slice(0, NAME_MAX)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

/** Returns whether a field's name alone says that its value is a secret that must not be read back. */
export function isSecretFieldName(name: string): boolean {
  const plain = normalizeFieldName(name)
  return secretFields.test(plain) || passes.test(plain)
}
