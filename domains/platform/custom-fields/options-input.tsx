import { Button, Checkbox, Input, Select } from 'antd'
import type { CustomFieldChoice } from '#kit/resource/index.ts'
import { jsonList } from '#kit/fields/json/json-list.ts'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import './own-fields.css'

const words = {
  zh: { zh: '中文', en: 'Chinese' },
  en: { zh: '英文', en: 'English' },
  zhOf: { zh: '选项 {at}（中文）', en: 'Option {at} (Chinese)' },
  enOf: { zh: '选项 {at}（英文）', en: 'Option {at} (English)' },
  colourOf: { zh: '选项 {at} 的颜色', en: 'Color of option {at}' },
  offered: { zh: '可选', en: 'Available' },
  offeredOf: { zh: '选项 {at} 可选', en: 'Option {at} available' },
  remove: { zh: '删除选项 {at}', en: 'Delete option {at}' },
  up: { zh: '上移选项 {at}', en: 'Move option {at} up' },
  add: { zh: '添加选项', en: 'Add option' },
}

const COLOURS = {
  '': { zh: '无', en: 'None' },
  success: { zh: '绿', en: 'Green' },
  processing: { zh: '蓝', en: 'Blue' },
  warning: { zh: '橙', en: 'Orange' },
  error: { zh: '红', en: 'Red' },
} as const

type Line = Partial<CustomFieldChoice>
const NAME_MAX = 30

/** Edits the choices of a field, one per line in both languages. Removing a saved choice only stops offering it. */
export default function CustomFieldChoicesInput({ value, onChange, id, disabled }: InputProps) {
  const t = useLocalize()
  const lines = jsonList<Line>(value)
  const put = (next: Line[]) => onChange(next.length ? JSON.stringify(next) : '')
  return (
    <div id={id} className="own-options">
      {lines.map((line, at) => (
        <OptionLine
          key={line.key ?? `new-${at}`}
          line={line}
          at={at + 1}
          onChange={(part) => put(lines.map((one, n) => (n === at ? { ...one, ...part } : one)))}
          onUp={at ? () => put(lines.toSpliced(at, 1).toSpliced(at - 1, 0, line)) : undefined}
          onRemove={() => put(lines.toSpliced(at, 1))}
        />
      ))}
      <Button icon={<Icon name="plus" />} disabled={disabled} onClick={() => put([...lines, { zh: '', en: '' }])}>
        {t(words.add)}
      </Button>
    </div>
  )
}

type LineProps = {
  line: Line
  /** Its position, counted from 1. */
  at: number
  onChange: (part: Line) => void
  onUp: (() => void) | undefined
  onRemove: () => void
}

function OptionLine(props: LineProps) {
  const { line, at, onChange } = props
  const t = useLocalize()
  return (
    <div className="own-option">
      {(['zh', 'en'] as const).map((lang) => (
        <Input
          key={lang}
          aria-label={t(lang === 'zh' ? words.zhOf : words.enOf, { at })}
          placeholder={t(words[lang])}
          maxLength={NAME_MAX}
          value={line[lang] ?? ''}
          onChange={(event) => onChange({ [lang]: event.target.value })}
        />
      ))}
      <Select
        aria-label={t(words.colourOf, { at })}
        value={line.colour ?? ''}
        onChange={(colour) => onChange({ colour: colour || undefined })}
        options={Object.entries(COLOURS).map(([key, label]) => ({ value: key, label: t(label) }))}
      />
      <LineEnd {...props} />
    </div>
  )
}

function LineEnd({ line, at, onChange, onUp, onRemove }: LineProps) {
  const t = useLocalize()
  return (
    <span className="own-option-end">
      <Button
        type="text"
        size="small"
        aria-label={t(words.up, { at })}
        disabled={!onUp}
        icon={<Icon name="arrow-up" />}
        onClick={onUp}
      />
      {line.key ? (
        <Checkbox
          aria-label={t(words.offeredOf, { at })}
          checked={!line.isOff}
          onChange={(event) => onChange({ isOff: event.target.checked ? undefined : true })}
        >
          {t(words.offered)}
        </Checkbox>
      ) : (
        <Button
          type="text"
          size="small"
          aria-label={t(words.remove, { at })}
          icon={<Icon name="delete" />}
          onClick={onRemove}
        />
      )}
    </span>
  )
}
