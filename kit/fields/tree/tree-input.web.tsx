import { labelKeyOf } from '#kit/resource/define-resource.ts'
import { useLocalize } from '#kit/web/language.tsx'
import { words } from '#kit/web/page-words.ts'
import TreePicker from '#kit/web/form/tree-picker.tsx'
import type { InputProps } from '../web-kind.ts'
import { isParent } from './tree.web.tsx'

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
    <TreePicker
      to={field.to!}
      value={String(value ?? '')}
      onChange={onChange}
      // A row must not move below itself.
      without={values.id ? String(values.id) : undefined}
      known={values[labelKeyOf(name, field)] as string | undefined}
      id={id}
      disabled={disabled}
      invalid={invalid}
      describedBy={describedBy}
      placeholder={isParent(name) ? undefined : t(words.pick)}
    />
  )
}
