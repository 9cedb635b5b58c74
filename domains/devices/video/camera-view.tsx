import type { WireRow } from '#kit/resource/index.ts'
import { Segmented } from 'antd'
import { useState } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { camera } from './camera.resource.ts'
import { words } from './camera-words.ts'
import { VideoPlayer, PlayerToolButton } from './player.tsx'
import { CameraPresets, PtzPad, ZoomBox } from './ptz-pad.tsx'
import { CameraRecordings } from './recordings.tsx'
import { TalkButton } from './talk-button.tsx'

type Row = Pick<WireRow<typeof camera>, 'id' | 'name' | 'ptzType' | 'hasAudio' | 'voiceChannel' | 'clockError'>

/** PTZ types of cameras that cannot turn. */
const FIXED = ['2', '3']

/** One camera: live picture, recordings, and controls. */
export function CameraView({ row }: { row: Row }) {
  const t = useLocalize()
  const maySeePast = useHasPermission('camera_record')
  const [mode, setMode] = useState<'live' | 'recorded'>('live')
  const id = String(row.id)
  return (
    <div className="video-view">
      {maySeePast && (
        <Segmented
          aria-label={t(words.mode)}
          value={mode}
          onChange={setMode}
          options={[
            { value: 'live', label: t(words.live) },
            { value: 'recorded', label: t(words.recorded) },
          ]}
        />
      )}
      {mode === 'live' ? (
        <Live row={row} />
      ) : (
        <CameraRecordings id={id} name={String(row.name)} clockError={Number(row.clockError || 0)} />
      )}
    </div>
  )
}

function Live({ row }: { row: Row }) {
  const t = useLocalize()
  const mayTurn = useHasPermission('camera_ptz') && !FIXED.includes(String(row.ptzType))
  const maySpeak = useHasPermission('camera_talk') && (String(row.hasAudio) !== 'false' || Boolean(row.voiceChannel))
  const [isBoxing, setBoxing] = useState(false)
  const id = String(row.id)
  return (
    <>
      <VideoPlayer
        name={String(row.name)}
        cameraId={id}
        source={{ path: `${camera.path}/watch`, query: { id }, isLive: true }}
        over={isBoxing && <ZoomBox id={id} onDone={() => setBoxing(false)} />}
        more={() =>
          mayTurn && (
            <PlayerToolButton
              icon="scan"
              label={t(isBoxing ? words.boxOff : words.box)}
              isOn={isBoxing}
              run={() => setBoxing(!isBoxing)}
            />
          )
        }
      />
      <div className="video-desk">
        {mayTurn && <PtzPad id={id} />}
        {mayTurn && <CameraPresets id={id} />}
        {maySpeak && <TalkButton id={id} />}
      </div>
    </>
  )
}
