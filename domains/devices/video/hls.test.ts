import { expect, test } from 'vitest'
import { resolvePlaylistUrl } from './hls.server.ts'

const PLAYLIST = 'http://media.example.com:8080/rtp/cam/hls.m3u8?callId=1'

test('what lies beside a playlist is read, and nothing else of its server or of others', () => {
  expect(resolvePlaylistUrl(PLAYLIST, 'hls/7.ts')).toBe('http://media.example.com:8080/rtp/cam/hls/7.ts')
  expect(resolvePlaylistUrl(PLAYLIST, '2026-11-24/10/00-01_1.ts?x=1')).toContain('/rtp/cam/2026-11-24/10/')
  for (const name of [
    '',
    '../other/hls/1.ts',
    '/index/api/getServerConfig',
    '%2e%2e/other/1.ts',
    '..%2fother/1.ts',
    'hls/..%2F..%2Fother/1.ts',
    '%2e%2e%2fother/1.ts',
    '..%252fother/1.ts',
    '..%5cother\\1.ts',
    'http://169.254.169.254/latest',
    '//inside.local/1.ts',
    'file:///etc/passwd',
  ])
    expect(resolvePlaylistUrl(PLAYLIST, name), name).toBeUndefined()
})
