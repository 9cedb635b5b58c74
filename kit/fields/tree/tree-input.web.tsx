import { valueLabelKeyOf } from '#kit/resource/define-resource.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import TreeRowPicker from '#kit/web/inputs/tree-picker.tsx'
import type { InputProps } from '../web-kind.ts'
import { isParentFieldName } from './parent-name.ts'

export default function TreeInput({
  name,
  field,
  value,
  onChange,
  values,
  id,
  disabled,
  invalid,
  describedBy,
}: InputProps) {
  const t = useLocalize()
  return (
    <TreeRowPicker
      to={field.to!}
      value={String(value ?? '')}
      onChange={onChange}
      // A row must not move below itself.
      without={values.id ? String(values.id) : undefined}
      known={values[valueLabelKeyOf(name, field)] as string | undefined}
      id={id}
      disabled={disabled}
      invalid={invalid}
      describedBy={describedBy}
      placeholder={isParentFieldName(name) ? undefined : t(words.pick)}
    />
  )
}
