package org.pytorch;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How deep the objects of a pickle are nested, without building any: walks over the opcodes
 * (Python's pickletools tells them) and counts the marks that are open at a time.
 */
final class PickleDepth {
  private static final int MARK = '(';

  private PickleDepth() {}

  /** The most marks that are open at a time; of a broken pickle, up to where it breaks. */
  static int of(byte[] pickle) {
    ByteBuffer in = ByteBuffer.wrap(pickle).order(ByteOrder.LITTLE_ENDIAN);
    int depth = 0;
    int deepest = 0;
    try {
      while (in.hasRemaining()) {
        int opcode = in.get() & 0xff;
        if (opcode == MARK) {
          deepest = Math.max(deepest, ++depth);
        } else if (opcode == 't' || opcode == 'u' || opcode == 'e' || opcode == 'l'
            || opcode == 'd') {
          depth--;
        } else {
          skipArgument(opcode, in);
        }
      }
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      // libtorch will say what is wrong with it.
      return deepest;
    }
    return deepest;
  }

  private static void skipArgument(int opcode, ByteBuffer in) {
    switch (opcode) {
      case 'c': // GLOBAL: module, newline, name, newline
        skipLine(in);
        skipLine(in);
        break;
      case 'X': // BINUNICODE
      case 'T': // BINSTRING
      case 'B': // BINBYTES
      case 0x8b: // LONG4
        skip(in, in.getInt());
        break;
      case 'U': // SHORT_BINSTRING
      case 'C': // SHORT_BINBYTES
      case 0x8a: // LONG1
        skip(in, in.get() & 0xff);
        break;
      case 0x80: // PROTO
      case 'q': // BINPUT
      case 'h': // BINGET
      case 'K': // BININT1
        skip(in, 1);
        break;
      case 'M': // BININT2
        skip(in, 2);
        break;
      case 'r': // LONG_BINPUT
      case 'j': // LONG_BINGET
      case 'J': // BININT
        skip(in, 4);
        break;
      case 'G': // BINFLOAT
        skip(in, 8);
        break;
      default: // no argument
        break;
    }
  }

  private static void skip(ByteBuffer in, int count) {
    in.position(in.position() + count);
  }

  private static void skipLine(ByteBuffer in) {
    while (in.get() != '\n') {
      continue;
    }
  }
}
