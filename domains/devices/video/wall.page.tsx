import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Pagination, Segmented, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { words as kit } from '#kit/web/base/page-words.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { ErrorNote, EmptyStateNote } from '#kit/web/parts/states.tsx'
import { setStoredValue, getStoredValue } from '#kit/web/base/storage.ts'
import { camera } from './camera.resource.ts'
import { VideoPlayer } from './player.tsx'
import { changedTopicOf } from '#kit/resource/index.ts'
import '#kit/web/base/kit.css'
import './video.css'

type Row = WireRow<typeof camera>
type Page = { records: Row[]; total: number }

const CameraView = lazy(() => import('./camera-view.tsx').then((m) => ({ default: m.CameraView })))

const words = {
  title: { zh: '视频墙', en: 'Video wall' },
  intro: {
    zh: '门店此刻的样子；不在屏幕上的画面不取流，点名称放大',
    en: 'What the stores look like right now. Video off screen is not streamed. Select a name to enlarge it.',
  },
  shop: { zh: '全部门店', en: 'All stores' },
  across: { zh: '画面数', en: 'Layout' },
  none: { zh: '没有摄像头', en: 'No cameras' },
  how: {
    zh: '在“资源 / 视频平台”里接入平台，通道会自动成为摄像头',
    en:
      'Connect a platform under “Integrations & storage / Video platforms”. Its channels become cameras ' +
      'automatically.',
  },
}

const SIZES = [1, 4, 9]
const KEPT = 'wall-size'
const keptSize = () => SIZES.find((one) => one === getStoredValue(KEPT)) ?? 4

function useWall() {
  const lang = useLanguage()
  const [size, setSize] = useState(keptSize)
  const [shopId, setShop] = useState('')
  const [current, setCurrent] = useState(1)
  const query = useQuery({
    queryKey: ['list', camera.name, 'wall', { size, shopId, current }, lang],
    queryFn: ({ signal }) =>
      apiGet<Page>(
        `${camera.path}/list`,
        { size, current, ascs: 'shopId', ...(shopId && { shopId }) },
        { quiet: true, signal },
      ),
    placeholderData: (before) => before,
  })
  useLiveRefetch(changedTopicOf(camera), () => query.refetch())
  const choose = (next: number) => {
    setStoredValue(KEPT, next)
    setSize(next)
    setCurrent(1)
  }
  const ofShop = (id: string) => {
    setShop(id)
    setCurrent(1)
  }
  return { query, size, choose, shopId, ofShop, current, setCurrent }
}

type Wall = ReturnType<typeof useWall>

/** Live pictures of the cameras in the user's scope, up to nine at a time. */
export default function CameraWallPage() {
  const t = useLocalize()
  const wall = useWall()
  const { query, size, current, setCurrent } = wall
  const [large, setLarge] = useState<Row>()
  const { data, error } = query
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{t(words.title)}</h1>
        <p>{t(words.intro)}</p>
      </header>
      <Bar wall={wall} />
      {error && !data && <ErrorNote title={t(kit.failedList)} error={error} retry={() => void query.refetch()} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 8 }} />}
      {data?.total === 0 && <EmptyStateNote icon="video-camera" title={t(words.none)} hint={t(words.how)} />}
      <div className="video-wall" style={{ '--across': Math.sqrt(size) } as React.CSSProperties}>
        {data?.records.map((row) => (
          <Tile key={String(row.id)} row={row} onLarge={() => setLarge(row)} />
        ))}
      </div>
      {(data?.total ?? 0) > size && (
        <Pagination
          align="end"
          current={current}
          pageSize={size}
          total={data!.total}
          showSizeChanger={false}
          onChange={setCurrent}
        />
      )}
      {large && <Large row={large} onClose={() => setLarge(undefined)} />}
    </div>
  )
}

function Bar({ wall: { shopId, ofShop, size, choose } }: { wall: Wall }) {
  const t = useLocalize()
  return (
    <div className="video-wall-bar">
      <RowPicker
        to="basicShopInfo"
        label={t(words.shop)}
        placeholder={t(words.shop)}
        value={shopId}
        onChange={(id) => ofShop(id)}
      />
      <Segmented
        aria-label={t(words.across)}
        value={size}
        onChange={choose}
        options={SIZES.map((one) => ({ value: one, label: String(one) }))}
      />
    </div>
  )
}

function Large({ row, onClose }: { row: Row; onClose: () => void }) {
  return (
    <Modal
      open
      width={1000}
      title={String(row.name)}
      footer={null}
      mask={{ closable: true }}
      onCancel={onClose}
      destroyOnHidden
    >
      <Suspense fallback={<Skeleton active />}>
        <CameraView row={row} />
      </Suspense>
    </Modal>
  )
}

function Tile({ row, onLarge }: { row: Row; onLarge: () => void }) {
  const id = String(row.id)
  return (
    <section className="video-tile" aria-label={String(row.name)}>
      <header>
        <Button type="link" onClick={onLarge}>
          {String(row.name)}
        </Button>
        <span className="kit-quiet">
          {String(row.shopName ?? '')}{' '}
          {row.state && row.state !== 'ok' && row.state !== 'unknown' && (
            <DictTag code="camera_state" value={row.state} label={row.stateName} />
          )}
        </span>
      </header>
      <VideoPlayer
        name={String(row.name)}
        isSmall
        source={{ path: `${camera.path}/watch`, query: { id }, isLive: true }}
      />
    </section>
  )
}
