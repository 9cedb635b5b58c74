import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { filledPath, type CallAnswerOf, type CallDefinition, type CallInputOf } from '#kit/resource/define-call.ts'
import { apiGet, apiPost, apiUpload, type RequestOptions, type UploadOptions } from './http.ts'
import { useLanguage } from '../base/language.tsx'

type AnyCall = CallDefinition<any, any, any>

/** Arguments after the call itself: its parameters may be left out if none is required. */
type InputAnd<C, O> =
  Record<never, never> extends CallInputOf<C>
    ? [input?: CallInputOf<C>, options?: O]
    : [input: CallInputOf<C>, options?: O]

/** Makes a declared call: a GET with query parameters, a POST with a JSON body. Refuses as `apiGet` does. */
export function callApi<C extends AnyCall>(call: C, ...rest: InputAnd<C, RequestOptions>): Promise<CallAnswerOf<C>> {
  const [input = {}, options] = rest
  const [path, sent] = filledPath(call.path, input)
  return call.method === 'GET' ? apiGet(path, sent, options) : apiPost(path, bodyOf(sent), options)
}

const bodyOf = (sent: Record<string, unknown>) => (Object.keys(sent).length ? { body: sent } : {})

/** Makes a declared call with one or more files; its parameters travel as a query. */
export function callUpload<C extends AnyCall>(
  call: C,
  file: Blob | readonly Blob[],
  ...rest: InputAnd<C, Omit<UploadOptions, 'query'>>
): Promise<CallAnswerOf<C>> {
  const [input = {}, options] = rest
  const [path, query] = filledPath(call.path, input)
  return apiUpload(path, file, { ...options, query })
}

/** Makes a declared call when the page is shown, and again when its parameters or the language change. */
export function useCall<C extends AnyCall>(
  call: C,
  ...rest: InputAnd<C, { enabled?: boolean; staleTime?: number }>
): UseQueryResult<CallAnswerOf<C>> {
  const [input, options] = rest
  const language = useLanguage()
  const given = [input, { quiet: true }] as unknown as InputAnd<C, RequestOptions>
  return useQuery({
    queryKey: ['call', call.method, call.path, input ?? {}, language],
    queryFn: () => callApi(call, ...given),
    ...options,
  })
}
