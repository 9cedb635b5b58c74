import { Button, Input, Select } from 'antd'
import { Fragment } from 'react'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { tagLineChanges, type TagLineChange } from './layout-elements.ts'
import { FIXED_TEXT_LABEL, tagLineSourceLabels } from './layout-words.ts'
import { TAG_LINE_SOURCES, TAG_TEXT_CHARACTERS_MAX, type TagLine } from './tag-templates.ts'

const words = {
  what: { zh: '显示什么', en: 'Show' },
  place: { zh: '位置', en: 'Position' },
  high: { zh: '字号', en: 'Font size' },
  wide: { zh: '宽度', en: 'Width' },
  look: { zh: '样式', en: 'Style' },
}

const buttons: Record<TagLineChange, LocalizedText> = {
  left: { zh: '左移', en: 'Move left' },
  up: { zh: '上移', en: 'Move up' },
  down: { zh: '下移', en: 'Move down' },
  right: { zh: '右移', en: 'Move right' },
  smaller: { zh: '缩小', en: 'Smaller' },
  bigger: { zh: '放大', en: 'Bigger' },
  narrower: { zh: '变窄', en: 'Narrower' },
  wider: { zh: '变宽', en: 'Wider' },
  bold: { zh: '加粗', en: 'Bold' },
  red: { zh: '红色', en: 'Red' },
}
const icons = {
  left: 'arrow-left',
  up: 'arrow-up',
  down: 'arrow-down',
  right: 'arrow-right',
  smaller: 'minus',
  bigger: 'plus',
  narrower: 'minus',
  wider: 'plus',
} as const

type ToolProps = { line: TagLine; onChange: (line: TagLine) => void }
type Steps = { label: LocalizedText; of: readonly (keyof typeof icons)[]; part?: number }

const STEPS: readonly ((line: TagLine) => Steps)[] = [
  () => ({ label: words.place, of: ['left', 'up', 'down', 'right'] }),
  ({ high }) => ({ label: words.high, of: ['smaller', 'bigger'], part: high }),
  ({ wide }) => ({ label: words.wide, of: ['narrower', 'wider'], part: wide }),
]

/** Buttons to change the chosen element, large enough for a thumb. */
export function TagLineTools({ line, onChange }: ToolProps) {
  const t = useLocalize()
  const press = (change: TagLineChange) => onChange(tagLineChanges[change](line))
  return (
    <div className="layout-grid">
      <What line={line} onChange={onChange} />
      {STEPS.map((step) => step(line)).map(({ label, of, part }) => (
        <Fragment key={label.en}>
          <span>{t(label)}</span>
          <div className="layout-row">
            {of.map((change) => (
              <Button
                key={change}
                aria-label={t(buttons[change])}
                icon={<Icon name={icons[change]} />}
                onClick={() => press(change)}
              />
            ))}
            {part !== undefined && <output className="kit-number">{Math.round(part * 100)}%</output>}
          </div>
        </Fragment>
      ))}
      <span>{t(words.look)}</span>
      <div className="layout-row">
        {(['bold', 'red'] as const).map((change) => {
          const isOn = !!(change === 'bold' ? line.isBold : line.isRed)
          return (
            <Button key={change} aria-pressed={isOn} type={isOn ? 'primary' : 'default'} onClick={() => press(change)}>
              {t(buttons[change])}
            </Button>
          )
        })}
      </div>
    </div>
  )
}

function What({ line, onChange }: ToolProps) {
  const t = useLocalize()
  return (
    <>
      <span>{t(words.what)}</span>
      <Select
        aria-label={t(words.what)}
        value={line.from}
        options={TAG_LINE_SOURCES.map((from) => ({ value: from, label: t(tagLineSourceLabels[from]) }))}
        onChange={(from) => {
          const { text: _text, ...rest } = line
          onChange(from === 'text' ? { ...rest, from, text: t(FIXED_TEXT_LABEL) } : { ...rest, from })
        }}
      />
      {line.from === 'text' && (
        <>
          <span>{t(FIXED_TEXT_LABEL)}</span>
          <Input
            aria-label={t(FIXED_TEXT_LABEL)}
            value={line.text}
            maxLength={TAG_TEXT_CHARACTERS_MAX}
            onChange={(event) => onChange({ ...line, text: event.target.value })}
          />
        </>
      )}
    </>
  )
}
