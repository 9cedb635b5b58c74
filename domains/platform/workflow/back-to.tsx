import { Select } from 'antd'
import type { InputProps } from '#kit/fields/web-kind.ts'

/** Chooses the earlier task to return to. */
export function ReturnToStepInput({
  id,
  value,
  onChange,
  returns,
  invalid,
}: InputProps & { returns: { node: string; name: string }[] }) {
  return (
    <Select
      id={id}
      className="kit-fill"
      value={(value as string) || null}
      status={invalid ? 'error' : undefined}
      onChange={onChange}
      options={returns.map(({ node, name }) => ({ value: node, label: name }))}
    />
  )
}
