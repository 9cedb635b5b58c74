import { useRef, type PointerEvent, type RefObject } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { tagLineChanges, moveTagLine, type TagLineChange } from './layout-elements.ts'
import { tagLineSourceLabels } from './layout-words.ts'
import { TagDrawing } from './tag-picture.tsx'
import { drawTagLines, TAG_SIZES, type ShownTagContent, type TagLine, type TagSize } from './tag-templates.ts'

const KEYS: Record<string, TagLineChange> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  '+': 'bigger',
  '-': 'smaller',
}

type DeskProps = {
  lines: readonly TagLine[]
  at: number
  size: TagSize
  content: ShownTagContent
  onChoose: (index: number) => void
  onMove: (index: number, line: TagLine) => void
  isFixed: boolean
}

/** Shows the tag with a handle on each element, to choose it by a tap and move it by drag or keys. */
export function TagLayoutEditor({ lines, at, size, content, onChoose, onMove, isFixed }: DeskProps) {
  const desk = useRef<HTMLDivElement>(null)
  const [width, height] = TAG_SIZES[size]
  return (
    <div className="layout-desk" ref={desk} style={{ aspectRatio: `${width} / ${height}` }}>
      <TagDrawing drawn={{ size, lines: drawTagLines(lines, content, size) }} />
      {!isFixed &&
        lines.map((line, index) => (
          <Handle
            key={index}
            line={line}
            isChosen={index === at}
            desk={desk}
            onChoose={() => onChoose(index)}
            onMove={(next) => onMove(index, next)}
          />
        ))}
    </div>
  )
}

type HandleProps = {
  line: TagLine
  isChosen: boolean
  desk: RefObject<HTMLDivElement | null>
  onChoose: () => void
  onMove: (line: TagLine) => void
}

function Handle({ line, isChosen, desk, onChoose, onMove }: HandleProps) {
  const t = useLocalize()
  const held = useRef<{ x: number; y: number; line: TagLine } | undefined>(undefined)
  const drag = (event: PointerEvent) => {
    const box = desk.current?.getBoundingClientRect()
    if (!held.current || !box) return
    const { x, y, line: was } = held.current
    onMove(moveTagLine(was, (event.clientX - x) / box.width, (event.clientY - y) / box.height))
  }
  const letGo = () => void (held.current = undefined)
  const share = (part: number) => `${part * 100}%`
  return (
    <button
      type="button"
      className="layout-box"
      aria-pressed={isChosen}
      aria-label={t(tagLineSourceLabels[line.from])}
      // The part of the text below its baseline belongs to the handle too.
      style={{
        left: share(line.x),
        top: share(line.y - line.high),
        width: share(line.wide),
        height: share(line.high * 1.15),
      }}
      onFocus={onChoose}
      onPointerDown={(event) => {
        onChoose()
        held.current = { x: event.clientX, y: event.clientY, line }
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={drag}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onKeyDown={(event) => {
        const change = KEYS[event.key]
        if (!change) return
        event.preventDefault()
        onMove(tagLineChanges[change](line))
      }}
    />
  )
}
