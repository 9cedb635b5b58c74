import { Select, Tag } from 'antd'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import { useAriaRequired } from '../../web/base/required.ts'
import type { CellProps, InputProps, WebFieldKind } from '../web-kind.ts'

const listOf = (value: unknown) =>
  String(value ?? '')
    .split(',')
    .filter(Boolean)

function TagsCell({ value }: CellProps) {
  return (
    <span className="kit-tags">
      {listOf(value).map((tag) => (
        <Tag key={tag} className="kit-tag">
          {tag}
        </Tag>
      ))}
    </span>
  )
}

function TagsInput({ value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const isRequired = useAriaRequired()
  const t = useLocalize()
  return (
    <Select
      id={id}
      className="kit-fill"
      mode="tags"
      open={false}
      suffixIcon={null}
      tokenSeparators={[',', ',', ';', ';']}
      value={listOf(value)}
      onChange={(tags) =>
        onChange(
          tags
            .map((tag: string) => tag.trim())
            .filter(Boolean)
            .join(','),
        )
      }
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      aria-required={isRequired}
      placeholder={t(words.addTag)}
    />
  )
}

export const tagsWebKind: WebFieldKind = { Cell: TagsCell, Input: TagsInput, width: 180 }
