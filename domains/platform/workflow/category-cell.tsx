import type { CellProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { CHANGE_REQUEST_CATEGORY, CHANGE_REQUEST_CATEGORY_LABEL, processCategoryKeyOf } from './flow-fields.ts'

/** Shows the label of a process category, which is sent as `flow_<key>` of the dictionary `flow`. */
export function CategoryCell({ row }: CellProps<{ category?: unknown }>) {
  const t = useLocalize()
  const { choices } = useDictionary('flow')
  const given = String(row.category ?? '')
  if (given === CHANGE_REQUEST_CATEGORY) return t(CHANGE_REQUEST_CATEGORY_LABEL)
  return choices.find((one) => one.key === processCategoryKeyOf(given))?.label ?? given
}
