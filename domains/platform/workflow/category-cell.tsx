import type { CellProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/language.tsx'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import { CHANGE, CHANGE_WORDS, keyOf } from './flow-fields.ts'

/** The words of a category, which travels as the code of its dictionary and the key in it. */
export function CategoryCell({ row }: CellProps<{ category?: unknown }>) {
  const t = useLocalize()
  const { choices } = useDictionary('flow')
  const given = String(row.category ?? '')
  if (given === CHANGE) return t(CHANGE_WORDS)
  return choices.find((one) => one.key === keyOf(given))?.label ?? given
}
