import { Select } from 'antd'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/list-words.ts'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import type { CellInputProps } from '../web-kind.ts'

/**
 * Select of the entries of a dictionary for editing in a table cell. Opens at once, as the cell was clicked to choose.
 */
export function DictCellInput({ id, field, value, onChange, onClose }: CellInputProps) {
  const { choices, isPending } = useDictionary(field.dict)
  const t = useLocalize()
  return (
    <Select
      id={id}
      className="kit-fill"
      defaultOpen
      loading={isPending}
      value={value === '' ? null : String(value)}
      options={choices
        .filter(({ key }) => !field.without?.includes(key))
        .map((choice) => ({ value: choice.key, label: choice.label }))}
      allowClear={!field.required}
      placeholder={t(words.nothing)}
      onChange={(key) => onChange(key === undefined || key === null ? '' : field.numeric ? Number(key) : key)}
      onOpenChange={(open) => !open && setTimeout(onClose, 150)}
    />
  )
}
