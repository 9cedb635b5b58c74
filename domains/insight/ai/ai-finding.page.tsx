import type { CellProps } from '#kit/fields/web-kind.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { aiFinding } from './ai-finding.resource.ts'
import { BoxedPicture, BoxedThumbnail } from './boxed-picture.tsx'

type Row = WireRow<typeof aiFinding>

/** Cell with the picture and the box of the finding drawn on it. */
function PictureCell({ row, place }: CellProps<Row>) {
  if (!row.picture) return null
  const boxes = [{ key: String(row.id), box: row.box, label: String(row.said) }]
  return place === 'detail' ? (
    <BoxedPicture src={String(row.picture)} boxes={boxes} />
  ) : (
    <BoxedThumbnail src={String(row.picture)} boxes={boxes} label={String(row.said)} />
  )
}

export default createResourcePage(aiFinding, {
  intro: {
    zh: 'AI 说它看到了什么；判定对错后，任务会显示它有多准',
    en: 'What the AI detected. Reviewed detections show how accurate a task is.',
  },
  cells: { picture: PictureCell },
})
