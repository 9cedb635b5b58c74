import { useEffect, useRef } from 'react'
import { useNavigate, useParams } from 'react-router'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { payApply } from './pay-apply.resource.ts'

const words = {
  intro: {
    zh: '商户向支付平台开户的资料：先存草稿，资料齐全后提交',
    en:
      'Information merchants submit to open an account at the payment platform. Save a draft first and ' +
      'submit it once complete.',
  },
}

/** List of the applications of one merchant or all; a form opens as its own page. */
export default function PayApplyPage() {
  const { merchantId } = useParams()
  const navigate = useNavigate()
  const open = (id: string, type: string, merchant: string) =>
    void navigate(`/pay/payApplyEdit/${merchant}/${id}/${type}`)
  return (
    <ResourcePage
      resource={payApply}
      page={{
        intro: words.intro,
        fixed: merchantId ? { merchantId } : undefined,
        isNarrowed: !!merchantId,
        onRow: (row) => open(String(row.id), 'view', String(row.merchantId)),
        form: ({ id, preset, onClose }) => (
          <Away
            go={() => open(id ?? '0', id ? 'edit' : 'add', merchantId ?? String(preset?.merchantId || '0'))}
            onClose={onClose}
          />
        ),
      }}
    />
  )
}

/** Replaces the list's edit dialog: navigates to the page and closes. */
function Away({ go, onClose }: { go: () => void; onClose: (saved: boolean) => void }) {
  useOnce(() => {
    onClose(false)
    go()
  })
  return null
}

function useOnce(work: () => void) {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    isDone.current = true
    work()
  })
}
