import { Button, Modal } from 'antd'
import type { ReactNode } from 'react'
import type { Fields } from '#kit/fields/base/field-kind.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { EditForm } from '#kit/web/form/edit-form.tsx'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { toast } from '#kit/web/base/toast.ts'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { useUnsavedGuard } from '#kit/web/form/use-unsaved-guard.tsx'
import { useFormSubmit } from '#kit/web/form/use-send.ts'

type Props = {
  title: LocalizedText
  customer: { nickname: string }
  path: string
  fields: Fields
  /** Values sent along with the form's: the customer, and the number that makes a repeated call harmless. */
  given: Record<string, unknown>
  preset?: Record<string, unknown>
  /** Resources whose lists are refetched after success. */
  renews: readonly Resource<any, any>[]
  danger?: boolean
  /** Success message; its placeholders are filled from the call's answer. */
  done?: LocalizedText
  children?: (form: ReturnType<typeof useForm>) => ReactNode
  onClose: () => void
}

/** Dialog for an action on a customer: shows the form, sends it, and puts each refusal at its field. */
export function CustomerFormDialog({
  title,
  customer,
  path,
  fields,
  given,
  preset,
  renews,
  danger,
  done = kit.done,
  children,
  onClose,
}: Props) {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const form = useForm({ fields, mode: 'add', preset })
  const { send: go, isSending } = useFormSubmit(form, async () => {
    const answer = await apiPost<Record<string, unknown>>(
      path,
      { body: { ...form.payload(), ...given } },
      { quiet: true },
    )
    toast.success(t(done, answer))
    await Promise.all(renews.map(renew))
    onClose()
  })
  const [leave, question] = useUnsavedGuard(form, onClose)
  return (
    <Modal
      open
      title={
        <>
          {t(title)} <span className="kit-quiet">{String(customer.nickname)}</span>
        </>
      }
      width={560}
      onCancel={leave}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t(kit.cancel)}
        </Button>,
        <Button key="go" type="primary" danger={danger} loading={isSending} onClick={() => void go()}>
          {t(title)}
        </Button>,
      ]}
    >
      {children?.(form)}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <EditForm form={form} />
        <button type="submit" hidden />
      </form>
      {question}
    </Modal>
  )
}
