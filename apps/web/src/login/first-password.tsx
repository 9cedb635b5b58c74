import { useEffect, useState, type FormEvent } from 'react'
import { apiGet, ApiError, apiPost } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { md5 } from '#kit/web/session/session.ts'
import { NativeDialog, DialogFooter } from './dialog.tsx'
import { LabelledInput } from './field.tsx'
import { words } from './words.ts'

type Rules = { length: number; kinds: number; history: number }
type Name = 'old' | 'next' | 'again'
type Props = {
  /** The password just used to sign in; undefined if the user signed in without one and has to type it here. */
  present: string | undefined
  onClose: (changed: boolean) => void
}

/** Dialog that makes the user replace a password that somebody else set or that is too old, before anything else. */
export function RequiredPasswordChangeDialog({ present, onClose }: Props) {
  const t = useLocalize()
  const hint = useRuleHint()
  const { submit, wrong, failure, busy } = useChange({ present, onClose })
  const error = (field: Name) => (wrong?.field === field ? t(wrong.words) : undefined)

  return (
    <NativeDialog title={t(words.first)} lead={t(words.firstLead)} onClose={() => onClose(false)}>
      {failure && (
        <p className="login-error" role="alert">
          {failure}
        </p>
      )}
      <form noValidate onSubmit={(event) => void submit(event)} aria-busy={busy}>
        {present === undefined && (
          <LabelledInput
            name="old"
            type="password"
            label={t(words.old)}
            error={error('old')}
            autoComplete="current-password"
          />
        )}
        <LabelledInput
          name="next"
          type="password"
          label={t(words.next)}
          error={error('next')}
          hint={hint}
          autoComplete="new-password"
          autoFocus
        />
        <LabelledInput
          name="again"
          type="password"
          label={t(words.password2)}
          error={error('again')}
          autoComplete="new-password"
        />
        <DialogFooter submit={words.firstSave} busy={busy} onCancel={() => onClose(false)} />
      </form>
    </NativeDialog>
  )
}

/** Returns a sentence with the rules for passwords; undefined until loaded. */
function useRuleHint() {
  const t = useLocalize()
  const [rules, setRules] = useState<Rules>()
  useEffect(() => {
    apiGet<Rules>('/api/blade-user/password-rules', undefined, { quiet: true }).then(setRules, () => {})
  }, [])
  if (!rules) return undefined
  const kinds = rules.kinds > 1 && t(words.ruleKinds, { kinds: rules.kinds })
  return [t(words.ruleLength, { length: rules.length }), kinds].filter(Boolean).join(t({ zh: '；', en: '; ' }))
}

type Wrong = { field: Name; words: LocalizedText }

function wrongIn(old: string, next: string, again: string): Wrong | undefined {
  if (!old) return { field: 'old', words: words.passwordRequired }
  if (!next) return { field: 'next', words: words.nextRequired }
  return next === again ? undefined : { field: 'again', words: words.registerDiffers }
}

function useChange({ present, onClose }: Props) {
  const t = useLocalize()
  const [wrong, setWrong] = useState<Wrong>()
  const [failure, setFailure] = useState('')
  const [busy, setBusy] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const text = (name: Name) => String(data.get(name) ?? '')
    const [old, next, again] = [present ?? text('old'), text('next'), text('again')]
    const found = wrongIn(old, next, again)
    setWrong(found)
    if (found) return (form.elements.namedItem(found.field) as HTMLInputElement | null)?.focus()
    setBusy(true)
    setFailure('')
    try {
      await apiPost(
        '/api/blade-user/update-password',
        { body: { oldPassword: md5(old), newPassword: md5(next), newPassword1: md5(again), newPlain: next } },
        { quiet: true },
      )
      onClose(true)
    } catch (reason) {
      setFailure((reason instanceof ApiError && reason.msg) || t(words.failed))
      setBusy(false)
    }
  }
  return { submit, wrong, failure, busy }
}
