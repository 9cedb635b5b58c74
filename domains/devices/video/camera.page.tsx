import type { WireRow } from '#kit/resource/index.ts'
import { lazy, Suspense } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { DetailView } from '#kit/web/detail/detail-view.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { camera } from './camera.resource.ts'
import './video.css'

type Row = WireRow<typeof camera>

const CameraView = lazy(() => import('./camera-view.tsx').then((m) => ({ default: m.CameraView })))

const words = {
  fast: { zh: '快 {seconds} 秒', en: '{seconds} s fast' },
  slow: { zh: '慢 {seconds} 秒', en: '{seconds} s slow' },
  right: { zh: '准', en: 'Accurate' },
  unknown: { zh: '未测量', en: 'Not measured' },
}

const MS = 1000

function ClockCell({ value }: CellProps<Row>) {
  const t = useLocalize()
  if (value === '' || value === null || value === undefined)
    return <span className="kit-quiet">{t(words.unknown)}</span>
  const seconds = Math.round(Number(value) / MS)
  if (!seconds) return t(words.right)
  return t(seconds > 0 ? words.fast : words.slow, { seconds: Math.abs(seconds) })
}

/** List of cameras, with their state and clock errors. A camera opens with its picture. */
export default createResourcePage(camera, {
  intro: {
    zh: '视频平台上属于本租户的通道；打开一个可以看实时画面和录像',
    en: 'Channels of your video platforms. Open one to view live video or recordings.',
  },
  cells: { clockError: (props: CellProps<Row>) => <ClockCell {...props} /> },
  detail: (row: Row) => (
    <>
      <Suspense fallback={<div className="kit-skeleton" />}>
        <CameraView row={row} />
      </Suspense>
      <DetailView resource={camera} row={row} />
    </>
  ),
})
