/**
 * WeChat derives what a template field accepts from its name without the number (`thing1` is a `thing`), and rejects
 * other values (47003).
 */

const NOTHING = '-'
const cut = (text: string, max: number) => {
  const signs = [...text]
  return signs.length > max ? `${signs.slice(0, max - 1).join('')}…` : text
}
const only = (pattern: RegExp, max: number) => (text: string) =>
  (text.match(pattern) ?? []).join('').slice(0, max) || NOTHING

const RULES: Record<string, (text: string) => string> = {
  thing: (text) => cut(text, 20),
  name: (text) => cut(text, 10),
  phrase: (text) => (text.match(/\p{Script=Han}/gu) ?? []).slice(0, 5).join('') || '通知',
  character_string: only(/[!-~]/g, 32),
  letter: only(/[A-Za-z]/g, 32),
  number: only(/[\d.]/g, 32),
  phone_number: only(/[\d+-]/g, 17),
  car_number: (text) => cut(text, 8),
}
const WIDE_MAX = 200

/** Returns the text as the field accepts it: on one line, never empty, cut to its length and permitted characters. */
export function fitWechatTemplateValue(field: string, text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim() || NOTHING
  return (RULES[field.replace(/\d{1,3}$/, '')] ?? ((wide: string) => cut(wide, WIDE_MAX)))(plain)
}
