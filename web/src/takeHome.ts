// SPDX-License-Identifier: MIT
//
// takeHome.ts: files and links that a person takes home. Nothing is sent anywhere: a link holds the scene itself, packed.

export function download(name: string, content: BlobPart, type: string): void {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Where the browser allows it.
export async function copy(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false;
    }
}

// A name for files, from a title.
export function fileName(title: string, extension: string): string {
    const name = title
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '_')
        .replace(/^_+|_+$/g, '');
    return `${name === '' ? 'scene' : name.slice(0, 60)}.${extension}`;
}

const LARGEST = 8 << 20; // of a scene in a link, unpacked

// No more than that comes out, however little goes in.
async function through(stream: ReadableWritablePair<Uint8Array, BufferSource>, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const reader = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>).getReader();
    const parts: BlobPart[] = [];
    let size = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
        size += part.value.length;
        if (size > LARGEST) {
            await reader.cancel();
            throw new Error('too large a scene for a link: more than 8 MiB');
        }
        parts.push(part.value as BlobPart);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function toBase64(bytes: Uint8Array): string {
    let text = '';
    for (const byte of bytes) {
        text += String.fromCharCode(byte);
    }
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
}

export async function packText(text: string): Promise<string> {
    return toBase64(await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(text)));
}

// Throws where it is no packed text.
export async function unpackText(packed: string): Promise<string> {
    const bytes = await through(new DecompressionStream('deflate-raw'), fromBase64(packed));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

// The address of this page with the scene in it.
export async function linkOf(text: string): Promise<string> {
    const url = new URL(location.href);
    url.hash = `scene=${await packText(text)}`;
    return url.href;
}
