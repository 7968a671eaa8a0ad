// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @notice Texts that are shown to people: names and symbols.
library Texts {
    /// @notice Largest number of bytes of a text.
    uint256 internal constant MAX_BYTES = 64;

    /// @notice The text up to its first zero byte, at most `MAX_BYTES` of it. No character of UTF-8 is cut in two.
    function cut(string memory text) internal pure returns (string memory) {
        return cut(bytes(text), 0, bytes(text).length);
    }

    /// @notice The text in `length` bytes of `source` from `start` on, cut in the same way.
    function cut(bytes memory source, uint256 start, uint256 length) internal pure returns (string memory) {
        uint256 most = Math.min(length, MAX_BYTES);
        uint256 end;
        while (end < most && source[start + end] != 0) ++end;
        if (end < length && end == most) {
            while (end > 0 && _continuesCharacter(source[start + end])) --end;
        }
        bytes memory text = new bytes(end);
        for (uint256 i; i < end; ++i) {
            text[i] = source[start + i];
        }
        return string(text);
    }

    /// @notice Whether a byte is one of a character of UTF-8 after its first.
    function _continuesCharacter(bytes1 one) private pure returns (bool) {
        return one & 0xC0 == 0x80;
    }
}
