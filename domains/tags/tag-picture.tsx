import { useSay } from '#kit/web/language.tsx'
import { drawTag, TAG_SIZES, type ShownContent, type TagSize } from './tag-templates.ts'
import './tags.css'

const words = { picture: { zh: '价签画面：{text}', en: 'The tag shows: {text}' } }

type PictureProps = { template: string; content: ShownContent; size?: TagSize }

/** A tag as it looks on the shelf. */
export function TagPicture({ template, content, size = '2.9' }: PictureProps) {
  const say = useSay()
  const [width, height] = TAG_SIZES[size]
  const lines = drawTag(template, content, size)
  return (
    <svg
      className="tag-picture"
      role="img"
      viewBox={`0 0 ${width} ${height}`}
      aria-label={say(words.picture, { text: lines.map(({ text }) => text).join(' ') })}
    >
      <rect width={width} height={height} rx="6" />
      {lines.map(({ text, x, y, fontSize, isBold, isRed }) => (
        <text key={`${x} ${y}`} x={x} y={y} fontSize={fontSize} data-bold={isBold} data-red={isRed}>
          {text}
        </text>
      ))}
    </svg>
  )
}
