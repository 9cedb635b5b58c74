import { interpolate, type Lang, type LocalizedText } from '../base/localized-text.ts'
import type { Field, FieldProblem } from './base/field-kind.ts'
import { fieldKinds } from './kinds.ts'
import { FIELD_PROBLEM_TEXTS } from './base/problems.ts'

/** Returns the sentence for a refused value in the given language. */
export function fieldProblemSentence(
  problem: FieldProblem,
  field: Pick<Field, 'label'> & { kind?: string; patternWords?: LocalizedText },
  lang: Lang,
): string {
  const own = problem.words ?? (problem.code === 'bad_format' ? field.patternWords : undefined)
  const kind = fieldKinds.get(field.kind ?? '')
  const code =
    problem.code === 'required' && kind?.isPicked
      ? 'required_choice'
      : problem.code === 'too_small' && (kind?.readsAs === 'day' || kind?.readsAs === 'moment')
        ? 'too_early'
        : problem.code
  const words = own ?? FIELD_PROBLEM_TEXTS[code]
  if (!words) throw new Error(`no sentence for problem "${problem.code}"`)
  // A parameter may be a text in two languages. An English sentence starts with the label, which is in sentence case.
  const params = Object.entries(problem.params ?? {}).map(([key, value]) => [
    key,
    value && typeof value === 'object' && lang in value ? (value as LocalizedText)[lang] : value,
  ])
  return interpolate(words[lang], { label: field.label[lang], ...Object.fromEntries(params) })
}
