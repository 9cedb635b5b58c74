import { Segmented } from 'antd'
import { useState } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { camera } from '#domains/devices/video/index.ts'
import { VideoPlayer } from '#domains/devices/video/ui.ts'
import { words } from './desk-words.ts'

/** Live view of a camera of the case's shop; nothing if it has none. */
export function ShopCameras({ shopId }: { shopId: string }) {
  const maySee = useHasPermission('camera_watch')
  return maySee ? <Cameras shopId={shopId} /> : null
}

function Cameras({ shopId }: { shopId: string }) {
  const t = useLocalize()
  const { rows } = useResourceList(camera, { inAddress: false, fixed: { shopId, size: 9 } })
  const [chosen, setChosen] = useState('')
  const shown = rows.find(({ id }) => String(id) === chosen) ?? rows[0]
  if (!shown) return null
  const id = String(shown.id)
  return (
    <section className="guard-card guard-picture" aria-label={t(words.picture)}>
      {rows.length > 1 && (
        <Segmented
          aria-label={t(words.camera)}
          value={id}
          onChange={setChosen}
          options={rows.map((one) => ({ value: String(one.id), label: String(one.name) }))}
        />
      )}
      <VideoPlayer
        key={id}
        name={String(shown.name)}
        cameraId={id}
        source={{ path: `${camera.path}/watch`, query: { id }, isLive: true }}
      />
    </section>
  )
}
