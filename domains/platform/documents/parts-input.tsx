import { Button, Input, Select } from 'antd'
import type { InputProps } from '#kit/fields/web-kind.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import type { TemplateList, TemplateField, TemplateSignature } from './paper.ts'
import { words } from './print-words.ts'
import { useDocumentKinds } from './use-kinds.ts'

const LABEL_MAX = 30

/** Parses a list in the form; undefined where the template leaves it to the document. */
function listIn<T>(value: unknown): T[] | undefined {
  try {
    const held: unknown = typeof value === 'string' && value ? JSON.parse(value) : value
    const { parts } = (held ?? {}) as Partial<TemplateList<T>>
    return Array.isArray(parts) ? parts : undefined
  } catch {
    return undefined
  }
}

const held = <T,>(parts: T[]) => JSON.stringify({ parts } satisfies TemplateList<T>)

type Part = 'facts' | 'columns' | 'totals'

/** Chooses the fields of a document, their order and labels. */
export function TemplateFieldsInput({ name, value, onChange, values, id }: InputProps) {
  const t = useLocalize()
  const kind = useDocumentKinds()?.find((one) => one.kind === values.kind)
  if (!kind) return <span className="kit-quiet">{t(words.chooseKind)}</span>
  const part = name as Part
  const offered = kind.offers[part]
  const own = listIn<TemplateField>(value)
  const parts: TemplateField[] = own ?? kind.usual[part].map((key) => ({ key }))
  const put = (next: TemplateField[]) => onChange(held(next))
  const rest = offered.filter(({ key }) => !parts.some((one) => one.key === key))
  return (
    <div className="print-parts" id={id}>
      <PartLines
        lines={parts.flatMap((one) => {
          const field = offered.find(({ key }) => key === one.key)
          return field ? [{ key: one.key, usual: field.label, zh: one.zh, en: one.en }] : []
        })}
        onChange={(lines) => put(lines.map(({ key, zh, en }) => ({ key, ...(zh && { zh }), ...(en && { en }) })))}
      />
      <div className="print-parts-foot">
        {rest.length > 0 && (
          <Select
            aria-label={t(words.add)}
            placeholder={t(words.add)}
            value={null}
            options={rest.map(({ key, label }) => ({ value: key, label: t(label) }))}
            onChange={(key) => key && put([...parts, { key }])}
            showSearch={{ optionFilterProp: 'label' }}
          />
        )}
        <Usual isUsual={!own} onRestore={() => onChange('')} />
      </div>
    </div>
  )
}

/** Edits the signature lines of a document. */
export function TemplateSignaturesInput({ value, onChange, values, id }: InputProps) {
  const t = useLocalize()
  const kind = useDocumentKinds()?.find((one) => one.kind === values.kind)
  if (!kind) return <span className="kit-quiet">{t(words.chooseKind)}</span>
  const own = listIn<TemplateSignature>(value)
  const signs = own ?? kind.usual.signs
  return (
    <div className="print-parts" id={id}>
      <PartLines
        lines={signs.map(({ zh, en }, at) => ({
          key: String(at),
          usual: { zh: t(words.sign, { at: at + 1 }), en: t(words.sign, { at: at + 1 }) },
          zh,
          en,
        }))}
        onChange={(lines) => onChange(held(lines.map(({ zh = '', en = '' }) => ({ zh, en }))))}
      />
      <div className="print-parts-foot">
        <Button icon={<Icon name="plus" />} onClick={() => onChange(held([...signs, { zh: '', en: '' }]))}>
          {t(words.addSign)}
        </Button>
        <Usual isUsual={!own} onRestore={() => onChange('')} />
      </div>
    </div>
  )
}

function Usual({ isUsual, onRestore }: { isUsual: boolean; onRestore: () => void }) {
  const t = useLocalize()
  return isUsual ? (
    <span className="kit-quiet">{t(words.usual)}</span>
  ) : (
    <Button type="link" size="small" onClick={onRestore}>
      {t(words.restore)}
    </Button>
  )
}

type Line = { key: string; usual: LocalizedText; zh?: string; en?: string }

function PartLines({ lines, onChange }: { lines: Line[]; onChange: (lines: Line[]) => void }) {
  const t = useLocalize()
  if (!lines.length) return <span className="kit-quiet">{t(words.none)}</span>
  return (
    <ul>
      {lines.map((line, at) => (
        <li key={line.key}>
          <span className="print-part-name">{t(line.usual)}</span>
          {(['zh', 'en'] as const).map((lang) => (
            <Input
              key={lang}
              size="small"
              aria-label={t(lang === 'zh' ? words.inZh : words.inEn, { name: t(line.usual) })}
              placeholder={line.usual[lang]}
              maxLength={LABEL_MAX}
              value={line[lang] ?? ''}
              onChange={(event) =>
                onChange(lines.map((one, n) => (n === at ? { ...one, [lang]: event.target.value } : one)))
              }
            />
          ))}
          <LineActs lines={lines} at={at} onChange={onChange} />
        </li>
      ))}
    </ul>
  )
}

function LineActs({ lines, at, onChange }: { lines: Line[]; at: number; onChange: (lines: Line[]) => void }) {
  const t = useLocalize()
  const line = lines[at]!
  const name = t(line.usual)
  const move = (to: number) => onChange(lines.toSpliced(at, 1).toSpliced(to, 0, line))
  return (
    <span className="print-part-acts">
      <Button
        type="text"
        size="small"
        aria-label={t(words.up, { name })}
        disabled={at === 0}
        icon={<Icon name="arrow-up" />}
        onClick={() => move(at - 1)}
      />
      <Button
        type="text"
        size="small"
        aria-label={t(words.down, { name })}
        disabled={at === lines.length - 1}
        icon={<Icon name="arrow-down" />}
        onClick={() => move(at + 1)}
      />
      <Button
        type="text"
        size="small"
        aria-label={t(words.remove, { name })}
        icon={<Icon name="close" />}
        onClick={() => onChange(lines.toSpliced(at, 1))}
      />
    </span>
  )
}
