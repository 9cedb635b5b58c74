import { Button, Modal } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Field } from '#kit/fields/base/field-kind.ts'
import type { Action, Resource } from '#kit/resource/define-resource.ts'
import { confirmationText, rowTitleOf } from '../row/action-words.ts'
import { EditForm, type InputOverrides } from './edit-form.tsx'
import type { UntypedRow } from '../row/form-values.ts'
import type { ApiError } from '../http/http.ts'
import { useLanguage, useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { callAction, refusalDetailsOf, actionTargetOf, useActionRunner } from '../row/run-action.ts'
import { toast } from '../base/toast.ts'
import { formInputId, useForm, type FormState } from './use-form.ts'
import { useUnsavedGuard } from './use-unsaved-guard.tsx'

const ChangedSince = lazy(() => import('./changed-since.tsx'))

/**
 * A request to run an action on `rows`. `theirs` is the current row if the action was already refused because the row
 * had changed. `preset` holds input already known by the caller: values of the action's fields and labels of
 * references.
 */
export type ActionRequest = {
  name: string
  action: Action
  rows: UntypedRow[]
  theirs?: UntypedRow
  preset?: UntypedRow
}

type Props = {
  resource: Resource<any, any>
  asked: ActionRequest
  onClose: (done: boolean) => void
  inputs?: InputOverrides
}

/** Dialog before an action runs: says what will happen to which rows and asks for the action's input. */
export default function ActionDialog({ resource, asked, onClose, inputs }: Props) {
  const { action, preset = {} } = asked
  const t = useLocalize()
  const fields = (action.input ?? {}) as Record<string, Field>
  const form = useForm({ fields, mode: 'add', preset })
  const keys = Object.keys(fields)
  const hasInput = keys.length > 0
  // Focuses the first input that is still to be filled in.
  const firstField = keys.find((key) => !(key in preset)) ?? keys[0]
  const { theirs, running, go } = useRequestedAction({ resource, asked, onClose }, form)
  const [leave, question] = useUnsavedGuard(form, () => onClose(false))

  return (
    <Modal
      open
      afterOpenChange={(isOpen) =>
        isOpen && firstField && document.getElementById(formInputId(form.id, firstField))?.focus()
      }
      title={t(action.label)}
      onCancel={leave}
      // A click outside closes the dialog only while nothing was typed.
      mask={{ closable: !form.changed.length }}
      width={hasInput ? 560 : 440}
      footer={[
        // The cancel button of an action itself called "cancel" reads "close".
        <Button key="cancel" onClick={() => onClose(false)}>
          {t(t(action.label) === t(words.cancel) ? words.close : words.cancel)}
        </Button>,
        <Button
          key="go"
          type="primary"
          danger={action.danger}
          loading={running}
          onClick={() => void go()}
          autoFocus={!hasInput && !action.danger}
        >
          {theirs ? t(words.goAnyway, { action: t(action.label) }) : t(action.label)}
        </Button>,
      ]}
    >
      <WhatHappens resource={resource} asked={asked} theirs={theirs} />
      {hasInput && (
        <form
          className="kit-ask-form"
          onSubmit={(event) => {
            event.preventDefault()
            void go()
          }}
        >
          <EditForm form={form} inputs={inputs} />
          <button type="submit" hidden />
        </form>
      )}
      {question}
    </Modal>
  )
}

function useRequestedAction({ resource, asked, onClose }: Omit<Props, 'inputs'>, form: FormState) {
  const { name, action, rows } = asked
  const { run, running } = useActionRunner(resource)
  const [theirs, setTheirs] = useState(asked.theirs)
  const hasInput = Object.keys(form.fields).length > 0
  const go = async () => {
    if (hasInput && !form.check()) return
    const target = actionTargetOf(action, theirs && action.on === 'row' ? [theirs] : rows)
    const input = hasInput ? form.payload() : undefined
    try {
      const done = await run(
        () => form.hold(() => callAction(resource, name, action, target, input, { quiet: true })),
        action.done,
      )
      if (done) onClose(true)
    } catch (reason) {
      const { row, fields: refused } = refusalDetailsOf(reason)
      if (row) return setTheirs(row)
      if (refused) form.refuse(refused)
      if (!refused || !Object.keys(refused).some((key) => key in form.fields)) toast.error((reason as ApiError).message)
    }
  }
  return { theirs, running, go }
}

function WhatHappens({ resource, asked: { action, rows }, theirs }: Omit<Props, 'onClose'> & { theirs?: UntypedRow }) {
  const t = useLocalize()
  const language = useLanguage()
  const subject =
    action.on !== 'toolbar' && rows.length === 1
      ? rowTitleOf(resource, rows[0]!)
      : action.on === 'bulk'
        ? t(words.chosen, { count: rows.length })
        : ''
  return (
    <>
      {theirs && (
        <Suspense>
          <ChangedSince resource={resource} seen={rows[0]!} now={theirs} />
        </Suspense>
      )}
      {action.confirm ? (
        <p className="kit-ask">{confirmationText(action, language, resource.fields, theirs ? [theirs] : rows)}</p>
      ) : (
        subject && <p className="kit-quiet">{subject}</p>
      )}
    </>
  )
}
