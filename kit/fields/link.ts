import { parseText, refuse, type Parsed } from './field-kind.ts'

/** The address of an uploaded file: our own (from the root) or a web address; never javascript: or data:. */
export function parseLink(input: unknown): Parsed<string> {
  const parsed = parseText(input, { kind: 'text', label: { zh: '', en: '' } }, 1000)
  if ('problem' in parsed || parsed.value === null) return parsed
  const link = parsed.value.trim()
  return /^(https?:\/\/[^\s/]+|\/(?!\/))\S*$/i.test(link) ? { value: link } : refuse('not_a_link')
}
