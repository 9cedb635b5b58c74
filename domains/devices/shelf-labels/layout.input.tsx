import { Button } from 'antd'
import { useState } from 'react'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { tagDictionaries } from './dictionaries.ts'
import { TagLayoutEditor } from './layout-desk.tsx'
import { addTagLine, parseTagLayoutOrDefault } from './layout-elements.ts'
import { useTagSampleContent } from './layout-sample.tsx'
import { TagLineTools } from './layout-tools.tsx'
import { FIXED_TEXT_LABEL } from './layout-words.ts'
import { builtInTagLayout, TAG_LAYOUT_LINES_MAX, toTagSize, type TagLine } from './tag-templates.ts'
import './tags.css'

const words = {
  with: { zh: '用哪个商品预览', en: 'Preview product' },
  begin: { zh: '套用', en: 'Apply' },
  add: { zh: '添加元素', en: 'Add element' },
  remove: { zh: '删除元素', en: 'Delete element' },
  hint: { zh: '点选元素后拖动，或用下面的按钮', en: 'Select an element, then drag it or use the buttons' },
}

const templates = tagDictionaries.find(({ code }) => code === 'price_tag_template')!.entries

/** Form input that edits a layout, drawn with real goods as on the tag. */
export function TagLayoutInput({ value, onChange, id, values, disabled }: InputProps) {
  const t = useLocalize()
  const [chosen, setChosen] = useState(0)
  const [goodId, setGoodId] = useState('')

  const lines = parseTagLayoutOrDefault(value)
  const at = Math.min(chosen, lines.length - 1)
  const set = (next: readonly TagLine[]) => onChange(JSON.stringify(next))
  const put = (index: number, line: TagLine) => set(lines.map((one, n) => (n === index ? line : one)))
  const content = useTagSampleContent(goodId)
  const size = toTagSize(values.model)

  return (
    <div className="layout-edit" id={id}>
      <TagLayoutEditor {...{ lines, at, size, content, onChoose: setChosen, onMove: put, isFixed: disabled }} />
      {!disabled && (
        <div className="layout-tools">
          <p className="kit-quiet">{t(words.hint)}</p>
          <TagLineTools line={lines[at]!} onChange={(line) => put(at, line)} />
          <div className="layout-row">
            <Button
              icon={<Icon name="plus" />}
              disabled={lines.length >= TAG_LAYOUT_LINES_MAX}
              onClick={() => {
                set(addTagLine(lines, t(FIXED_TEXT_LABEL)))
                setChosen(lines.length)
              }}
            >
              {t(words.add)}
            </Button>
            <Button
              icon={<Icon name="delete" />}
              disabled={lines.length < 2}
              onClick={() => set(lines.filter((_one, n) => n !== at))}
            >
              {t(words.remove)}
            </Button>
          </div>
          <span className="kit-quiet">{t(words.begin)}</span>
          <div className="layout-row">
            {templates.map((one) => (
              <Button key={one.key} onClick={() => set(builtInTagLayout(one.key))}>
                {t(one)}
              </Button>
            ))}
          </div>
        </div>
      )}
      <GoodsChoice goodId={goodId} onChange={setGoodId} />
    </div>
  )
}

function GoodsChoice({ goodId, onChange }: { goodId: string; onChange: (goodId: string) => void }) {
  const t = useLocalize()
  if (!useResourcePath('goodInfo')) return null
  return (
    <div className="layout-goods">
      <label htmlFor="layout-good">{t(words.with)}</label>
      <RowPicker id="layout-good" to="goodInfo" value={goodId} onChange={(next) => onChange(next)} />
    </div>
  )
}
