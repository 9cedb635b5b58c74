import { Button, Modal } from 'antd'
import { useState } from 'react'
import { reasonField, type WireRow } from '#kit/resource/index.ts'
import { callApi } from '#kit/web/http/call.ts'
import { EditForm } from '#kit/web/form/edit-form.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { useUnsavedGuard } from '#kit/web/form/use-unsaved-guard.tsx'
import { useFormSubmit } from '#kit/web/form/use-send.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { words as kit } from '#kit/web/base/page-words.ts'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { CommandSteps } from '#domains/devices/device-messaging/ui.ts'
import type { cashRegister } from './cash-register.resource.ts'
import { cashRegisterScreenshotCall } from './register-screenshot.calls.ts'
import { registerScreenshot } from './register-screenshot.resource.ts'
import './registers.css'

type Register = WireRow<typeof cashRegister>
export type RegisterScreenshotRow = WireRow<typeof registerScreenshot>

const words = {
  take: { zh: '截屏“{name}”', en: 'Screenshot of “{name}”' },
  takeGo: { zh: '截屏', en: 'Take screenshot' },
  takeNote: {
    zh: '屏幕上可能有顾客的信息：谁截屏、为什么，都会记下来',
    en: 'The screen may show customer data. Your name and the reason are logged.',
  },
  look: { zh: '查看“{name}”的截屏', en: 'View screenshot of “{name}”' },
  lookGo: { zh: '查看', en: 'View' },
  lookNote: {
    zh: '每次查看都会记下人、时间和原因；关闭后再看要重新填写',
    en: 'Each view is logged with person, time and reason. After closing you have to enter a reason again.',
  },
  earlier: { zh: '保留的截屏', en: 'Saved screenshots' },
  none: { zh: '没有保留的截屏', en: 'No saved screenshots' },
  by: { zh: '{user}：{reason}', en: '{user}: {reason}' },
  gone: { zh: '截屏已不在', en: 'The screenshot no longer exists' },
}

const FIELDS = { reason: reasonField({ required: true }) }

type AskProps = {
  title: string
  note: LocalizedText
  go: LocalizedText
  run: (why: string) => Promise<void>
  onClose: () => void
  /** Shown instead of the form once the reason was sent. */
  done: React.ReactNode
  children?: React.ReactNode
}

/** Dialog that asks for a reason, then shows the result. */
function WhyDialog({ title, note, go, run, onClose, done, children }: AskProps) {
  const t = useLocalize()
  const form = useForm({ fields: FIELDS, mode: 'add' })
  const { send, isSending } = useFormSubmit(form, () => run(String(form.values.reason)))
  const [leave, question] = useUnsavedGuard(form, onClose)
  return (
    <Modal
      open
      title={title}
      width={560}
      onCancel={done ? onClose : leave}
      footer={[
        <Button key="close" onClick={onClose}>
          {t(done ? kit.close : kit.cancel)}
        </Button>,
        !done && (
          <Button key="go" type="primary" loading={isSending} onClick={() => void send()}>
            {t(go)}
          </Button>
        ),
      ]}
    >
      {done || (
        <form
          className="kit-ask-form"
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <p className="kit-quiet">{t(note)}</p>
          <EditForm form={form} />
          <button type="submit" hidden />
        </form>
      )}
      {question}
      {children}
    </Modal>
  )
}

/** Dialog that shows one screenshot after a reason was given. */
export function ViewScreenshotDialog({ picture, onClose }: { picture: RegisterScreenshotRow; onClose: () => void }) {
  const t = useLocalize()
  const [url, setUrl] = useState<string>()
  const [isGone, setGone] = useState(false)
  return (
    <WhyDialog
      title={t(words.look, { name: String(picture.registerName ?? '') })}
      note={words.lookNote}
      go={words.lookGo}
      run={async (why) => {
        const path = `${registerScreenshot.path}/open`
        const request = { query: { id: picture.id }, body: { reason: why } }
        setUrl((await apiPost<{ url: string }>(path, request, { quiet: true })).url)
      }}
      onClose={onClose}
      done={
        url && (
          <figure className="register-screen">
            {isGone ? (
              <p className="kit-quiet">{t(words.gone)}</p>
            ) : (
              <img src={url} alt={t(registerScreenshot.label)} onError={() => setGone(true)} />
            )}
            <figcaption className="kit-quiet">{String(picture.createTime)}</figcaption>
          </figure>
        )
      }
    />
  )
}

function KeptPictures({ register, onLook }: { register: Register; onLook: (picture: RegisterScreenshotRow) => void }) {
  const t = useLocalize()
  const may = useResourcePermissions(registerScreenshot)
  const maySee = !!useResourcePath(registerScreenshot.name)
  const { rows, isPending } = useResourceList(registerScreenshot, {
    inAddress: false,
    fixed: { registerId: String(register.id), size: 10 },
    enabled: maySee,
  })
  if (!maySee) return null
  return (
    <section>
      <h3>{t(words.earlier)}</h3>
      {!rows.length && !isPending && <p className="kit-quiet">{t(words.none)}</p>}
      <ul className="kit-rows">
        {rows.map((row) => (
          <li key={String(row.id)}>
            <span>
              <RelativeTime at={String(row.createTime)} />
              <small>{t(words.by, { user: row.userName, reason: row.reason })}</small>
            </span>
            {may.act('open') && <Button onClick={() => onLook(row)}>{t(words.lookGo)}</Button>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Dialog that takes a screenshot of a register, shows its progress and the earlier ones. */
export default function ScreenshotDialog({ register, onClose }: { register: Register; onClose: () => void }) {
  const t = useLocalize()
  const [commandId, setCommandId] = useState<string>()
  const [looking, setLooking] = useState<RegisterScreenshotRow>()
  return (
    <>
      <WhyDialog
        title={t(words.take, { name: String(register.name) })}
        note={words.takeNote}
        go={words.takeGo}
        run={async (why) => {
          const body = { id: register.id, reason: why }
          setCommandId((await callApi(cashRegisterScreenshotCall, body, { quiet: true })).cmdId)
        }}
        onClose={onClose}
        done={commandId && <CommandSteps id={commandId} />}
      >
        <KeptPictures register={register} onLook={setLooking} />
      </WhyDialog>
      {looking && <ViewScreenshotDialog picture={looking} onClose={() => setLooking(undefined)} />}
    </>
  )
}
