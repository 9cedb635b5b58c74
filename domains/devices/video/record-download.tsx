import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Progress, Select } from 'antd'
import type { Dayjs } from 'dayjs'
import { useEffect, useState } from 'react'
import { callApi } from '#kit/web/http/call.ts'
import type { CallAnswerOf } from '#kit/resource/index.ts'
import { apiPost, type ApiError } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { camera } from './camera.resource.ts'
import { words } from './camera-words.ts'
import { cameraRecordFileCall, cameraRecordProgressCall } from './record-file.calls.ts'

const FORMAT = 'YYYY-MM-DD HH:mm:ss'
const MINUTES = [1, 5, 10, 30, 60] as const
const ASK_MS = 1_000

type Begun = CallAnswerOf<typeof cameraRecordFileCall>

/** Saves a recording from a moment on as a file, which the platform creates faster than real time. */
export function RecordDownload({ id, at }: { id: string; at: Dayjs }) {
  const t = useLocalize()
  const [minutes, setMinutes] = useState<number>(1)
  const [begun, setBegun] = useState<Begun>()
  const [problem, setProblem] = useState('')
  const begin = async () => {
    setProblem('')
    const body = { id, startTime: at.format(FORMAT), endTime: at.add(minutes, 'minute').format(FORMAT) }
    try {
      setBegun(await callApi(cameraRecordFileCall, body, { quiet: true }))
    } catch (error) {
      setProblem((error as ApiError).message)
    }
  }
  const end = (message = '') => {
    setBegun(undefined)
    setProblem(message)
  }
  return (
    <>
      {begun ? (
        <ActiveDownload begun={begun} onEnd={end} />
      ) : (
        <div className="video-row">
          <Select
            aria-label={t(words.length)}
            value={minutes}
            onChange={setMinutes}
            options={MINUTES.map((count) => ({ value: count, label: t(words.minutes, { count }) }))}
          />
          <Button icon={<Icon name="download" />} onClick={() => void begin()}>
            {t(words.download)}
          </Button>
        </div>
      )}
      {problem && <Alert type="warning" showIcon title={problem} />}
    </>
  )
}

type ActiveDownloadProps = { begun: Begun; onEnd: (problem?: string) => void }

/** Polls a download's progress until its file is complete. Leaving the page cancels it. */
function ActiveDownload({ begun, onEnd }: ActiveDownloadProps) {
  const t = useLocalize()
  const { download, name } = begun
  const { data, error } = useQuery({
    queryKey: ['video', 'download', download],
    queryFn: () => callApi(cameraRecordProgressCall, { download }, { quiet: true }),
    refetchInterval: ASK_MS,
    retry: false,
    gcTime: 0,
  })
  const address = data?.address ?? ''
  useEffect(() => {
    if (error) onEnd(error.message)
    if (!address) return
    const link = document.createElement('a')
    link.href = address
    link.click()
    onEnd()
    // Runs once for each file. `onEnd` is left out, as it is a new function at each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [address, error])
  useEffect(
    () => () => void apiPost(`${camera.path}/recordStop`, { body: { download } }, { quiet: true }).catch(() => {}),
    [download],
  )
  return (
    <div className="video-row" aria-live="polite">
      <span>{t(words.making, { name })}</span>
      <Progress
        className="video-progress"
        size="small"
        aria-label={t(words.making, { name })}
        percent={Math.floor((data?.progress ?? 0) * 100)}
      />
      <Button size="small" onClick={() => onEnd()}>
        {t(words.giveUp)}
      </Button>
    </div>
  )
}
