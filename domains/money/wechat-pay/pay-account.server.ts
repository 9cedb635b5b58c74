import { createPublicKey } from 'node:crypto'
import { maskProviderSecrets, prepareProviderDraft } from '#domains/platform/files/api.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { serve } from '#kit/server/module/module.ts'
import { SECRET_MASK } from '#kit/server/base/mask.ts'
import { notifyUrlOf, parsePrivateKey } from './accounts.ts'
import { payAccount } from './pay-account.resource.ts'
import './refusals.ts'

const SECRETS = ['secretKey', 'apiv3Key'] as const
const APIV3_BYTES = 32

/** Refuses unusable keys before they are encrypted and stored. */
function requireKeys(draft: { secretKey?: string | null; apiv3Key?: string | null; publicKeyPem?: string | null }) {
  const wrong = (field: string) => new Refused('pay_key_unreadable', {}, { field })
  const readable = (field: string, read: () => unknown) => {
    try {
      read()
    } catch {
      throw wrong(field)
    }
  }
  const { secretKey, apiv3Key, publicKeyPem } = draft
  if (secretKey && secretKey !== SECRET_MASK) readable('secretKey', () => parsePrivateKey(secretKey))
  if (apiv3Key && apiv3Key !== SECRET_MASK && Buffer.byteLength(apiv3Key) !== APIV3_BYTES)
    throw new Refused('pay_apiv3_length', {}, { field: 'apiv3Key' })
  if (publicKeyPem) readable('publicKeyPem', () => createPublicKey(publicKeyPem))
}

export const payAccountServer = serve(payAccount, {
  beforeSave: (draft, was, call) => {
    requireKeys(draft)
    const keyNo = draft.publicKeyNo === undefined ? was?.publicKeyNo : draft.publicKeyNo
    const pem = draft.publicKeyPem === undefined ? was?.publicKeyPem : draft.publicKeyPem
    if (Boolean(keyNo) !== Boolean(pem))
      throw new Refused('pay_public_key_half', {}, { field: keyNo ? 'publicKeyPem' : 'publicKeyNo' })
    prepareProviderDraft(payAccount, draft, was, call, SECRETS)
  },
  present: (wire, rows, { services }) => {
    maskProviderSecrets(wire, SECRETS)
    rows.forEach((row, at) => (wire[at]!.notifyUrl = notifyUrlOf(services, row)))
  },
})
