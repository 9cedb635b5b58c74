import { useQuery } from '@tanstack/react-query'
import { AutoComplete } from 'antd'
import { useDeferredValue } from 'react'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { payApply } from './pay-apply.resource.ts'

type Bank = { alias: string; aliasCode: string; bank: string; needsBranch: boolean }
type Branch = { name: string; branchNo: string }

const fetchList = <T,>(path: string, query: Record<string, string>) =>
  apiGet<T[]>(`${payApply.path}/${path}`, query, { quiet: true }).catch((): T[] => [])

function useBanks(kind: unknown, keyword: string) {
  const query = { bankAccountType: String(kind || 'corporate'), keyword }
  const { data } = useQuery({ queryKey: ['banks', query], queryFn: () => fetchList<Bank>('banks', query) })
  return data ?? []
}

const plain = ({ id, value, onChange, disabled, invalid, describedBy }: InputProps) => ({
  id,
  value: String(value ?? ''),
  onChange,
  disabled,
  status: invalid ? ('error' as const) : undefined,
  'aria-invalid': invalid,
  'aria-describedby': describedBy,
  style: { width: '100%' },
})

/**
 * Bank input with suggestions from WeChat Pay's list. Other names can be typed; without a WeChat Pay account there are
 * no suggestions.
 */
function BankInput(props: InputProps) {
  const keyword = useDeferredValue(String(props.value ?? ''))
  const banks = useBanks(props.values.bankAccountType, keyword)
  return <AutoComplete {...plain(props)} options={banks.map(({ alias }) => ({ value: alias }))} />
}

/** Branch input with suggestions: the branches of the chosen bank in the chosen city. */
function BranchInput(props: InputProps) {
  const { accountBank, bankRegion, bankAccountType } = props.values
  const bank = useBanks(bankAccountType, String(accountBank ?? '')).find(({ alias }) => alias === accountBank)
  const keyword = useDeferredValue(String(props.value ?? ''))
  const query = { aliasCode: bank?.aliasCode ?? '', bankRegion: String(bankRegion ?? ''), keyword }
  const { data = [] } = useQuery({
    queryKey: ['branches', query],
    queryFn: () => fetchList<Branch>('branches', query),
    enabled: !!query.aliasCode && !!query.bankRegion,
  })
  return <AutoComplete {...plain(props)} options={data.map(({ name }) => ({ value: name }))} />
}

/** Inputs for bank and branch, by field name, for forms with an account. */
export const bankInputsByField = { accountBank: BankInput, bankName: BranchInput }
