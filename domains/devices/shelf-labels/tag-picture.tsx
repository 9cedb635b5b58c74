import { useLocalize } from '#kit/web/base/language.tsx'
import {
  builtInTagLayout,
  drawTagLines,
  toTagSize,
  TAG_SIZES,
  type DrawnTag,
  type ShownTagContent,
} from './tag-templates.ts'
import './tags.css'

const words = { picture: { zh: '价签画面：{text}', en: 'ESL tag display: {text}' } }

type PictureProps = { template: string; content: ShownTagContent; model?: string }

/** Shows a tag as on the shelf: as it was drawn when it was sent, else by its template. */
export function TagPicture({ template, content, model }: PictureProps) {
  const size = toTagSize(model)
  return (
    <TagDrawing drawn={content.drawn ?? { size, lines: drawTagLines(builtInTagLayout(template), content, size) }} />
  )
}

/** Draws a picture on the shape of a tag. */
export function TagDrawing({ drawn: { size, lines }, children }: { drawn: DrawnTag; children?: React.ReactNode }) {
  const t = useLocalize()
  const [width, height] = TAG_SIZES[size]
  return (
    <svg
      className="tag-picture"
      role="img"
      viewBox={`0 0 ${width} ${height}`}
      aria-label={t(words.picture, { text: lines.map(({ text }) => text).join(' ') })}
    >
      <rect className="tag-paper" width={width} height={height} rx="6" />
      {lines.map(({ text, x, y, fontSize, isBold, isRed }, at) => (
        <text key={at} x={x} y={y} fontSize={fontSize} data-bold={isBold} data-red={isRed}>
          {text}
        </text>
      ))}
      {children}
    </svg>
  )
}
