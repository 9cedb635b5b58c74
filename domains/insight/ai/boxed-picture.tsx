import { useState } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Drawer } from '#kit/web/parts/drawer.tsx'
import './ai.css'

type Boxed = { key: string; box: unknown; label: string; tone?: string }

const words = {
  open: { zh: '查看图片：{label}', en: 'View image: {label}' },
  picture: { zh: 'AI 看到的画面', en: 'AI camera view' },
}

const per = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value * 100 : NaN)

/** CSS position of a box in per cent of the picture; undefined for an invalid box. */
function placeOf(box: unknown): { left: string; top: string; width: string; height: string } | undefined {
  if (typeof box !== 'object' || box === null) return undefined
  const { x, y, w, h } = box as Record<string, unknown>
  const [left, top, width, height] = [per(x), per(y), per(w), per(h)]
  if (![left, top, width, height].every((one) => one >= 0 && one <= 100) || !width || !height) return undefined
  return { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }
}

/** A picture with numbered boxes on it. The model's words appear only as text. */
export function BoxedPicture({ src, boxes }: { src: string; boxes: readonly Boxed[] }) {
  return (
    <span className="ai-picture">
      <img src={src} alt="" loading="lazy" decoding="async" />
      {boxes.map(({ key, box, label }, index) => {
        const place = placeOf(box)
        return (
          place && (
            <span key={key} className="ai-box" style={place} title={label}>
              <b>{index + 1}</b>
            </span>
          )
        )
      })}
    </span>
  )
}

/** A small `BoxedPicture` that opens the full one when clicked. */
export function BoxedThumbnail({ src, boxes, label }: { src: string; boxes: readonly Boxed[]; label: string }) {
  const t = useLocalize()
  const [isOpen, setOpen] = useState(false)
  if (!src) return null
  return (
    <span className="ai-thumb" onClick={(event) => event.stopPropagation()}>
      <button type="button" aria-label={t(words.open, { label })} onClick={() => setOpen(true)}>
        <BoxedPicture src={src} boxes={boxes} />
      </button>
      {isOpen && (
        <Drawer open title={t(words.picture)} size={720} onClose={() => setOpen(false)}>
          <BoxedPicture src={src} boxes={boxes} />
          <p>{label}</p>
        </Drawer>
      )}
    </span>
  )
}
